package bridge

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/agent"
	"github.com/drawbridge-browser/drawbridge/internal/mcpserver"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// Agent is one agent: its tabs are its own. It may be used concurrently.
type Agent struct {
	// Client does actions by their types.
	Client *client.Client

	hand *mcpserver.Hand
}

// Agent makes an agent of that name, at most 64 letters, digits and ._:-. The same name is the same agent again, with the same tabs.
func (b *Bridge) Agent(name string) (*Agent, error) {
	if name == "" {
		return nil, errors.New("an agent needs a name: by it its tabs are kept apart from those of other agents")
	}
	if err := agent.CheckSession(name); err != nil {
		return nil, err
	}
	c, err := b.newClient(name)
	if err != nil {
		return nil, err
	}
	return &Agent{Client: c, hand: mcpserver.NewHand(deskOf{c}, nil)}, nil
}

// Tool is what a model is told of the browser.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// InputSchema is a flat JSON Schema, as model providers ask for it: which fields belong together is checked by [Agent.Call].
	InputSchema json.RawMessage `json:"inputSchema"`
	// Instructions say in some lines how to work with the tool: they belong into the system prompt.
	Instructions string `json:"-"`
}

// BrowserTool is the one tool, for all actions.
func BrowserTool() (Tool, error) {
	d, err := mcpserver.Describe()
	return Tool(d), err
}

// Said is what a model is to hear of its call.
type Said struct {
	// Text is what was done and what changed or, after a failure, what happened and what to do next. What a page wrote stands in it
	// between marks that no page can guess. At most about 2,000 tokens: a word in it brings the rest.
	Text string `json:"text"`
	// File is the picture, the document or the download that came of the call; nil for none.
	File *File `json:"file,omitempty"`
	// IsError tells that the action failed.
	IsError bool `json:"isError,omitempty"`
}

// File is bytes that came out of a browser.
type File struct {
	// Name is empty for a picture.
	Name     string `json:"name,omitempty"`
	MIMEType string `json:"mimeType"`
	// Data is base64 in JSON.
	Data []byte `json:"data"`
}

// Call does what a model chose: the tool's name and its input, an object. Whatever goes wrong is said to the model, a cancelled ctx
// too.
func (a *Agent) Call(ctx context.Context, tool string, input json.RawMessage) Said {
	said := a.hand.Call(ctx, tool, input)
	heard := Said{Text: said.Text, IsError: said.Failed}
	if f := said.File; f != nil {
		heard.File = &File{Name: f.Name, MIMEType: f.MIMEType, Data: f.Data}
	}
	return heard
}

// deskOf has a model's actions done by a client.
type deskOf struct{ client *client.Client }

var _ mcpserver.Desk = deskOf{}

// Act has one action done.
func (d deskOf) Act(ctx context.Context, call mcpserver.Call) (mcpserver.Reply, error) {
	answer, err := d.client.Act(ctx, protocol.ActRequest{Action: protocol.AnyAction{Action: call.Action}, Browser: call.Browser})
	reply := mcpserver.Reply{Events: answer.Events}
	if err != nil {
		return reply, err
	}
	reply.Result, err = answer.Read(call.Action)
	return reply, err
}
