package llm

// Collect is what ReadRecorded makes of a stream, for tests that hold a Client.
var Collect = collect
