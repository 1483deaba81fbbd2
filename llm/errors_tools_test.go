package llm

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestServersSayInManyWordsThatAModelTakesNoTools(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
	}{
		{400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}`},
		{404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit the docs","code":404}}`},
		{400, `{"error":{"code":400,"message":"tools param requires --jinja flag","type":"invalid_request_error"}}`},
		{500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`},
		{500, `{"error":{"code":500,"message":"Cannot use tools with stream","type":"server_error"}}`},
		{500, `{"error":{"code":500,"message":"tools param is not fully supported yet","type":"server_error"}}`},
		{400, `[{"error":{"code":400,"message":"Function calling is not enabled for models/gemma-3-27b-it","status":"INVALID_ARGUMENT"}}]`},
		{400, `{"error":{"code":400,"message":"Tool use with function calling is unsupported by the model.","status":"INVALID_ARGUMENT"}}`},
		{400, `{"error":{"message":"Function calling is not enabled for this model","type":"invalid_request_error"}}`},
		{400, "{\"error\":{\"message\":\"`tools` is not supported with this model\"}}"},
		{400, "{\"error\":{\"message\":\"`tool calling` is not supported with this model\",\"type\":\"invalid_request_error\"}}"},
		{400, `{"error":{"message":"This model does not support tool calling"}}`},
		{400, `{"error":{"message":"tools is not supported in this model. For a list of supported models, refer to the docs"}}`},
		{400, `{"error":{"message":"Unsupported parameter: 'tools' is not supported with this model.","type":"invalid_request_error","param":"tools","code":"unsupported_parameter"}}`},
		{400, `{"error":{"message":"Unsupported parameter: 'tools'","code":null}}`},
		{400, `{"error":{"message":"Not with this one","param":"tools","code":"unsupported_parameter"}}`},
		{400, `{"error":{"message":"Unrecognized request argument supplied: tools"}}`},
		{400, `{"error":{"message":"deepseek-reasoner does not support Function Calling"}}`},
		{405, `{"error":{"message":"Tool calling is not supported for model: mistralai/Mistral-Small-24B-Instruct-2501","code":"405"}}`},
		{400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`},
		{500, `{"error":"This model doesn't support tool use in streaming mode."}`},
		{400, `{"error":{"message":"Tool use has not been enabled, because it is unsupported by the model."}}`},
		{400, `{"message":"nvidia_nim does not support parameters: {'tools': [...]}"}`},
		{422, `{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`},
		{400, `{"error":{"message":"Function calls are not supported by this endpoint."}}`},
		{400, `{"error":{"message":"The model does not support function calling."}}`},
		{400, `Tools are currently not supported`},
	} {
		resp := &http.Response{StatusCode: test.status, Status: fmt.Sprint(test.status)}
		if got := statusError(resp, []byte(test.body), time.Unix(0, 0)); got.Kind != KindNoTools || got.mayPass() {
			t.Errorf("%d %s: got %s, to be tried again: %v", test.status, test.body, got.Kind, got.mayPass())
		}
		said, ok := readServerError([]byte(test.body))
		if !ok {
			continue // plain text is no event of a stream
		}
		if got := chunkError(said); got.Kind != KindNoTools {
			t.Errorf("in a stream, %s: got %s", test.body, got.Kind)
		}
	}
}

func TestWhatIsSaidOfOneToolOrItsCompanyIsNotSaidOfAllTools(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		kind   ErrorKind
	}{
		{400, `{"error":{"message":"Invalid schema for function 'query': 'additionalProperties' is not supported","param":"tools[0].function.parameters","code":"invalid_function_parameters"}}`, KindBadRequest},
		{400, `{"error":{"message":"Unknown parameter: 'tools[0].function.strict'.","param":"tools[0].function.strict","code":"unknown_parameter"}}`, KindBadRequest},
		{400, `{"error":{"message":"Unsupported parameter: 'parallel_tool_calls' is not supported with this model.","param":"parallel_tool_calls","code":"unsupported_parameter"}}`, KindBadRequest},
		{400, `{"error":{"message":"Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead."}}`, KindBadRequest},
		{400, `{"error":{"message":"Function calling with a response mime type: 'application/json' is unsupported"}}`, KindBadRequest},
		{400, `{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages"}}`, KindBadRequest},
		{400, `{"error":{"message":"tool_choice 'none' is not supported"}}`, KindBadRequest},
		{400, `{"error":{"message":"This model does not support tools of type 'web_search'"}}`, KindBadRequest},
		{400, `{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128"}}`, KindBadRequest},
		{400, `{"error":{"message":"This model does not support image input"}}`, KindBadRequest},
		{401, `{"error":{"message":"Tools are not available without a key"}}`, KindAuth},
		{500, `{"error":{"message":"Failed to parse tool call arguments as JSON"}}`, KindServer},
		{503, `{"error":{"message":"The tool server is overloaded"}}`, KindOverloaded},
	} {
		resp := &http.Response{StatusCode: test.status, Status: fmt.Sprint(test.status)}
		if got := statusError(resp, []byte(test.body), time.Unix(0, 0)); got.Kind != test.kind {
			t.Errorf("%d %s: got %s, want %s", test.status, test.body, got.Kind, test.kind)
		}
	}
}
