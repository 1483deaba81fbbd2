// A relay on loopback for tests: node relay.js FILE PAGE PORT
//   FILE  the SQLite file, or :memory:
//   PAGE  how many events a filter without a limit gets; ten times that is the cap
//   PORT  0 for any
// It prints its port, serves, and ends when its standard input is closed, so
// that it never outlives the test that started it.
'use strict';
const { createServer } = require('node:http');
const { LogLevel } = require('@nostr-relay/common');
const { NostrRelay } = require('@nostr-relay/core');
const { EventRepositorySqlite } = require('@nostr-relay/event-repository-sqlite');
const { Validator } = require('@nostr-relay/validator');
const { WebSocketServer } = require('ws');

async function main(file, page, port) {
  const store = new EventRepositorySqlite(file, { defaultLimit: page });
  await store.init();
  const relay = new NostrRelay(store, {
    logLevel: LogLevel.ERROR,
    filterResultCacheTtl: 0, // an answer must not be older than its question
  });
  // Real notes are longer than the validator takes by default.
  const validator = new Validator({ maxTagValueLength: 1 << 16, maxNumberOfTags: 10000, maxContentLength: 1 << 20 });

  const about = JSON.stringify({
    name: 'test relay',
    software: 'nostr-relay',
    version: '0.0.40',
    supported_nips: [1, 9, 11],
    limitation: { max_limit: page * 10, max_subscriptions: 20 },
  });
  const http = createServer((req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/nostr+json' });
    res.end(about);
  });

  new WebSocketServer({ server: http, maxPayload: 4 << 20 }).on('connection', (client) => {
    relay.handleConnection(client, '127.0.0.1');
    client.on('message', async (data) => {
      try {
        await relay.handleMessage(client, await validator.validateIncomingMessage(data));
      } catch (err) {
        client.send(JSON.stringify(['NOTICE', String(err.message)]));
      }
    });
    client.on('close', () => relay.handleDisconnect(client));
    client.on('error', () => client.terminate());
  });

  http.listen(port, '127.0.0.1', () => console.log(http.address().port));
  process.stdin.resume().on('end', () => process.exit(0));
}

const [file = ':memory:', page = '100', port = '0'] = process.argv.slice(2);
main(file, Number(page), Number(port)).catch((err) => {
  console.error(err);
  process.exit(1);
});
