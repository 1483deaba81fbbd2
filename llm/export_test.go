package llm

// Collect is what ReadRecorded makes of a stream, for tests that hold a Client.
var Collect = collect

// Counter stands for randomness where the same input has to give the same ids.
var Counter = counter

// SecondWay returns a provider that speaks its second family from the start.
func SecondWay(p Provider) Provider {
	p.speaks, p.second = p.second, nil
	return p
}

// SchemaRules are the rules for schemas.
var SchemaRules = map[string]schemaRule{"plain": schemasPlain, "anthropic": schemasAnthropic, "gemini": schemasGemini}

// FitSchema returns a schema in a provider's form.
var FitSchema = schemaRule.fit

// Restore gives properties their own names again.
var Restore = restore
