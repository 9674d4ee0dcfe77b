//go:build mcpfixtures

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The names, texts and schemas are the suite's: it looks for them word by word.

func init() {
	fixtures = func(opts *mcp.ServerOptions) func(*mcp.Server) {
		opts.Capabilities = nil // told by what is registered
		opts.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
		}
		opts.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		opts.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
		return func(s *mcp.Server) {
			addContents(s)
			addConversations(s)
			addResources(s)
			addPrompts(s)
		}
	}
}

func picture() *mcp.ImageContent {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		panic(err) // into memory
	}
	return &mcp.ImageContent{Data: b.Bytes(), MIMEType: "image/png"}
}

// silence is a WAV file of no samples.
var silence = []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x00\x00\x00\x00")

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource content."}}
}

func text(format string, args ...any) *mcp.TextContent {
	return &mcp.TextContent{Text: fmt.Sprintf(format, args...)}
}

type handler = func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error)

// addTool registers a tool whose errors are results, as a tool's should be.
func addTool(s *mcp.Server, name, schema string, do handler) {
	s.AddTool(&mcp.Tool{Name: name, Description: "A fixture of the conformance suite.", InputSchema: json.RawMessage(schema)},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			content, err := do(ctx, r)
			if err != nil {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{text("%v", err)}}, nil
			}
			return &mcp.CallToolResult{Content: content}, nil
		})
}

const nothing = `{"type":"object","properties":{}}`

func addContents(s *mcp.Server) {
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":            {text("This is a simple text response for testing.")},
		"test_image_content":          {picture()},
		"test_audio_content":          {&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}},
		"test_embedded_resource":      {embedded("test://embedded-resource")},
		"test_multiple_content_types": {text("Multiple content types test:"), picture(), embedded("test://mixed-content-resource")},
	} {
		addTool(s, name, nothing, func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error) { return content, nil })
	}
	addTool(s, "test_error_handling", nothing, func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error) {
		return nil, errors.New("This tool intentionally returns an error for testing")
	})
	addTool(s, "json_schema_2020_12_tool", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
		"$defs":{"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
		"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"}},"additionalProperties":false}`,
		func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error) {
			return []mcp.Content{text("ok")}, nil
		})
}

func addConversations(s *mcp.Server) {
	addTool(s, "test_tool_with_logging", nothing, func(ctx context.Context, r *mcp.CallToolRequest) ([]mcp.Content, error) {
		for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return nil, err
			}
		}
		return []mcp.Content{text("logged")}, nil
	})
	addTool(s, "test_tool_with_progress", nothing, func(ctx context.Context, r *mcp.CallToolRequest) ([]mcp.Content, error) {
		token := r.Params.GetProgressToken()
		for _, done := range []float64{0, 50, 100} {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100}); err != nil {
				return nil, err
			}
		}
		return []mcp.Content{text("%v", token)}, nil
	})
	addTool(s, "test_sampling", `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
		func(ctx context.Context, r *mcp.CallToolRequest) ([]mcp.Content, error) {
			var in struct{ Prompt string }
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
				return nil, err
			}
			said, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{
				Messages: []*mcp.SamplingMessage{{Role: "user", Content: text("%s", in.Prompt)}}, MaxTokens: 100,
			})
			if err != nil {
				return nil, err
			}
			answer, _ := said.Content.(*mcp.TextContent)
			if answer == nil {
				return nil, fmt.Errorf("the client answered with a %T", said.Content)
			}
			return []mcp.Content{text("LLM response: %s", answer.Text)}, nil
		})
	asks := func(name, input, schema string) {
		addTool(s, name, input, func(ctx context.Context, r *mcp.CallToolRequest) ([]mcp.Content, error) {
			in := struct{ Message string }{"Please fill this in"}
			if err := json.Unmarshal(r.Params.Arguments, &in); err != nil && len(r.Params.Arguments) > 0 {
				return nil, err
			}
			var asked any
			if err := json.Unmarshal([]byte(schema), &asked); err != nil {
				return nil, err
			}
			said, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: in.Message, RequestedSchema: asked})
			if err != nil {
				return nil, err
			}
			content, err := json.Marshal(said.Content)
			return []mcp.Content{text("Elicitation completed: action=%s, content=%s", said.Action, content)}, err
		})
	}
	asks("test_elicitation", `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`,
		`{"type":"object","properties":{"username":{"type":"string"},"email":{"type":"string"}},"required":["username","email"]}`)
	asks("test_elicitation_sep1034_defaults", nothing, `{"type":"object","properties":{
		"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`)
	const titled = `[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]`
	asks("test_elicitation_sep1330_enums", nothing, `{"type":"object","properties":{
		"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},"titledSingle":{"type":"string","oneOf":`+titled+`},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":`+titled+`}}}}`)
}

func addResources(s *mcp.Server) {
	answer := func(of func(uri string) *mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			contents := of(r.Params.URI)
			contents.URI = r.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
		}
	}
	plain := answer(func(string) *mcp.ResourceContents {
		return &mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}
	})
	s.AddResource(&mcp.Resource{Name: "static-text", URI: "test://static-text", MIMEType: "text/plain"}, plain)
	s.AddResource(&mcp.Resource{Name: "watched", URI: "test://watched-resource", MIMEType: "text/plain"}, plain)
	s.AddResource(&mcp.Resource{Name: "static-binary", URI: "test://static-binary", MIMEType: "image/png"},
		answer(func(string) *mcp.ResourceContents {
			return &mcp.ResourceContents{MIMEType: "image/png", Blob: picture().Data}
		}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", URITemplate: "test://template/{id}/data", MIMEType: "application/json"},
		answer(func(uri string) *mcp.ResourceContents {
			id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
			return &mcp.ResourceContents{MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)}
		}))
}

func addPrompts(s *mcp.Server) {
	add := func(name string, arguments []string, say func(map[string]string) []mcp.Content) {
		prompt := &mcp.Prompt{Name: name, Description: "A fixture of the conformance suite."}
		for _, a := range arguments {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: a, Description: "Anything", Required: true})
		}
		s.AddPrompt(prompt, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			result := &mcp.GetPromptResult{}
			for _, content := range say(r.Params.Arguments) {
				result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: content})
			}
			return result, nil
		})
	}
	add("test_simple_prompt", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{text("This is a simple prompt for testing.")}
	})
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{text("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(a map[string]string) []mcp.Content {
		return []mcp.Content{embedded(a["resourceUri"]), text("Please process the embedded resource above.")}
	})
	add("test_prompt_with_image", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{picture(), text("Please analyze the image above.")}
	})
}
