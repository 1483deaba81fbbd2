package builtin

func english() *lexicon {
	return &lexicon{
		lang: "en", time: englishTime(),
		imperatives: "play|open|order|buy|like|zap|reply|repost|boost|delete|remove|erase|translate|send|remind|follow|unfollow|block|mute|call|write|post|publish|tweet|make|compose|draft|share|say",
		ordinals:    []string{"first|1st", "second|2nd", "third|3rd", "fourth|4th", "fifth|5th", "sixth|6th"},
		short:       `u=you|ur=your|abt=about|wat=what|wot=what|wut=what|whats=what is|plz=please|pls=please|ppl=people|smth=something|msgs=messages|msg=message|yday=yesterday|2day=today|tmrw=tomorrow|wknd=weekend|lil=little|gimme=give me|wanna=want to|y'all=you`,
		how:         []string{"how"},
		items:       []string{"number", "no", "no.", "nr", "item", "point", "story", "topic"},
		senses: []sense{
			{cFiller, `can i see|can i read|i want to see|i want to read|let me see|see|read|a|an|the|please|pls|plz|kindly|so|now|then|there|here|just|really|actually|also|too|ever|lately|recently|these days|currently|right now|already|
				so far|exactly|by now|on nostr|to me about|anything|something|things|thing|stuff|all|any|some|much|me a|show me|give me|get me|send me|make me|write me|tell me|
				show|give|list|me the|be|been|being|it|this|that|those|these|my dear|dear|thank you|thanks|thx|important|interesting|last|words|word|most important|biggest|main|key|
				short|shortly|briefly|brief|quick|quickly|simple|little|bit|get|in short|in brief|in a nutshell|at all|to know|know|whole|entire|full|bowerbird|
				under|below|at|out|out on|i'd|'d|'ll|as|on my feed|want|would like|i want to know|i would like to know|kind of|sort of|time|else|i have|only|to`},
			{cFiller | cDid, `is|are|was|were|am|do|does|did|has|have|had|'s|'re|'ve|'m|can|could|there is|there are|is there|was there|are there`},
			{cFiller | cIs, `is|are|'s|'re|am`},
			{cAlso, `and|&|or`},
			{cAbout, `about|on|with|regarding|concerning|around|in|re`},
			{cOf, `of|with`},
			{cOf | cBy, `by|from`},
			{cWhat, `everything|all that|what|which|what all|how|what time|whats|what kind of`},
			{cWho, `who|whom|whos`},
			{cWhether, `whether|if`},
			{cPolite, `can you|could you|would you|will you|can you tell me|could you tell me|i want to know|i would like to know|i'd like to know|let me know|tell me|i wonder|do you know`},
			{cSelf, `i|we`},
			{cFiller | cMe, `for me`},
			{cMe, `me|myself|us`},
			{cMy, `my|mine|our`},
			{cEveryone, `people|everyone|everybody|they|my friends|friends|folks|my contacts|my follows|my people|people i follow|the people i follow|
				the people that i follow|the people whom i follow|everyone i follow|everybody i follow|those i follow|who i follow|whom i follow|we all|the others|others|my feed|my timeline|the timeline|accounts i follow|guys`},
			{cSomeone, `anyone|anybody|someone|somebody|any|a person`},
			{cMissed, `miss|missed|missing|overlooked|did not see|didn't see`},
			{cNews, `gossip|buzz|headlines|goings on|topics|topic|subjects|stories|new|news|latest|newest|updates|update|going on|goes on|happening|been happening|up|recent|developments`},
			{cHappened, `happened|happen|happens|happening|going on|gone on|been going on|changed|go on|went on|went down|went|goes`},
			{cSummary, `summary|summarise|summarize|summarised|summarized|sum up|digest|recap|rundown|round up|roundup|round-up|overview|briefing|highlights|tldr|catch me up|bring me up|get me up|
				catch up|up to date|up to speed|fill me in|brief me|wrap up|wrap-up|run me through|walk me through|gist of|gist|the gist`},
			{cWrote, `say|says|said|saying|talk|talks|talked|talking|discuss|discusses|discussed|discussing|write|writes|wrote|written|writing|post|posts|posted|posting|chat|chatted|chatting|
				think|thinks|thinking|up to|been up to|doing|share|shares|shared|sharing|publish|published|publishing|argue|argued|arguing|fight|fought|fighting|speak|spoke|speaking|been up to|tell|told|on about|been on about|comment|commented|talk about|debate|debated`},
			{cNotes, `notes tagged|posts tagged|notes|note|posts|post|messages|message|stuff by|tweets|toots`},
			{cTimes, `how many|how much|number of|the number of|count|how often|how many times|amount of|total of`},
			{cMost, `most|the most|the most active|the busiest|most active|busiest|most often|loudest|chattiest|most talkative|more than anyone`},
			{cTop, `use|uses|top|popular|trending|hottest|used|most used|most popular|favourite|favorite|common|most common|biggest`},
			{cWho | cTop, `posters|authors|writers|accounts|contributors`},
			{cTags, `hashtags|hashtag|tags|tag|hash tags`},
			{cReplied, `replied|reply|replies|answer|answered|answers|answering|replying|responded|respond|responses|response|reacted to what|wrote back|written back|write back|get back to|got back to`},
			{cReplied | cMentioned, `asked|ask|asks|asking|wrote to|write to|written to|talking to|talked to|spoke to|contacted|for me waiting|waiting for me`},
			{cMentioned, `mentioned|mention|mentions|mentioning|tagged|pinged|ping|referred to|talking about me|called out`},
			{cQuoted, `quoted|quote|quotes|quoting`},
			{cZapped, `zapped|zap|zaps|zapping|tipped|sent sats|sats`},
			{cLiked, `like|liked|likes|reactions|reacted|reaction|hearted`},
			{cReposted, `reposted|reposts|repost|boosted|boosts`},
			{cGot, `get|got|received|receive|have|come in|came in|there for`},
			{cFind, `search|find|look for|look up|search for|find me|grep|lookup|searching for|look`},
			{cConversation, `thread|conversation|discussion|exchange|threads|conversations|discussions|chat between|dialogue|debate`},
			{cLongest, `longest|biggest|largest|liveliest|busiest`},
			{cChart, `chart|graph|diagram|plot|as a chart|as a graph|bar chart|charts|in a chart|on a chart|as a diagram|as a bar chart|as a plot|plotted|drawn|as chart|as graph|line chart|histogram|visualise|visualize`},
			{cTable, `as a table|table|in a table|as table|in table form|tabular|table of|spreadsheet`},
			{cPerDay, `per day|a day|each day|every day|daily|by day|by the day|day by day|over the days`},
			{cPerWeek, `per week|a week|each week|every week|weekly|by week|week by week|over the weeks`},
			{cPerHour, `per hour|an hour|each hour|every hour|hourly|by hour|hour by hour`},
			{cHelping, `help|what can you do|what can i ask|what can i ask you|what do you do|what do you know|how does this work|how do you work|who are you|what are you|what can you tell me|how do i use this|what can i do here|instructions`},
			{cGreeting, `hi|hello|hey|yo|sup|good morning|good evening|good afternoon|good day|good night|thanks|thank you|thank you so much|thank you very much|many thanks|cheers|
				that helped|great|nice|cool|ok|okay|bye|goodbye|how are you|howdy|greetings|hi there|hello there|well done|awesome|perfect|what's up|wassup`},
			{cGreeting | cThanks, `thanks|thank you|thank you so much|thank you very much|many thanks|thx|cheers|that helped|well done`},
			{cProfile, `profile|the profile|bio|about page`},
			{cMore, `more|more details|details|tell me more|more on|more about|go deeper|expand|elaborate|continue|further|go on about|explain`},
			{cBetween, `between|with each other|to each other|among`},
			{cAgain, `same|the same|same thing|same again|again|instead|do that|that too|how about|what about|that|those`},
			{cUntold, `should|shall|must|followers|follower|follow|follows|followed by|following|when|why|where|how long|how far|how come|tomorrow|week before|day before|month before|next week|next month|next year|article|articles|in english|in german|in french|in spanish|in portuguese|in japanese|in chinese|in italian`},
			{cPerson, `this person|that person|he|she|him|her|his|hers|them|their|theirs`},
		},
	}
}
