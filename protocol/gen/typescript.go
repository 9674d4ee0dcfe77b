package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// typescript writes the extension's types: an interface for each struct, the unions, the maps
// from tag to variant, and the constants.
func typescript(s *schema) []byte {
	var b bytes.Buffer
	b.WriteString("// Generated from package protocol by go generate. DO NOT EDIT.\n\n")
	for _, name := range s.order {
		d := s.defs[name]
		if d.OneOf != nil && d.Properties == nil {
			continue
		}
		comment(&b, "", d.Description)
		fmt.Fprintf(&b, "export interface %s {\n", name)
		for p := d.Properties.Oldest(); p != nil; p = p.Next() {
			comment(&b, "  ", p.Value.Description)
			opt := "?"
			if slices.Contains(d.Required, p.Key) {
				opt = ""
			}
			typ := tsType(p.Value)
			if name == "Error" && p.Key == "code" {
				typ = "ErrorCode"
			}
			fmt.Fprintf(&b, "  %s%s: %s;\n", p.Key, opt, typ)
		}
		b.WriteString("}\n\n")
	}
	union(&b, "Action", "Action is one thing that a browser can be asked to do.", protocol.Actions.Variants)
	union(&b, "Event", "Event is what a browser tells unasked.", protocol.Events.Variants)
	union(&b, "Frame", "Frame is one text frame of the bridge dialect.", protocol.Frames.Variants)

	b.WriteString("/** ActionMap gives each action's parameters and result by its type. */\nexport interface ActionMap {\n")
	for _, m := range protocol.Methods {
		fmt.Fprintf(&b, "  %s: {params: %s; result: %s};\n", m.Type, m.Params.Name(), m.Result.Name())
	}
	b.WriteString("}\n\n/** ActionType is an action's tag. */\nexport type ActionType = keyof ActionMap;\n\n")

	b.WriteString("/** ErrorCode names what went wrong. */\nexport type ErrorCode =\n")
	for _, c := range protocol.ErrorCodes {
		fmt.Fprintf(&b, "  | %s\n", quote(string(c.Code)))
	}
	b.WriteString("  ;\n\n")
	list(&b, "Outcome", "Outcome says whether what was asked for reached the page.", strs(protocol.Outcomes))
	list(&b, "Retryable", "Retryable says how the same call may be made again.", strs(protocol.Retryables))
	list(&b, "EndReason", "EndReason says why a session on a tab ended.", strs(protocol.EndReasons))

	b.WriteString("/** MethodInfo is one row of the method table: how an action is run. */\nexport interface MethodInfo {\n" +
		"  /** How long a caller waits that says nothing else, in milliseconds. */\n  readonly timeoutMs: number;\n" +
		"  /** It acts on a tab's page, in the tab's queue and session. */\n  readonly onPage: boolean;\n" +
		"  /** It never waits in a tab's queue. */\n  readonly bypass: boolean;\n" +
		"  /** It leaves the page as it was. */\n  readonly reads: boolean;\n}\n\n")
	b.WriteString("/** methods is the method table. */\nexport const methods: Readonly<Record<ActionType, MethodInfo>> = {\n")
	for _, m := range protocol.Methods {
		fmt.Fprintf(&b, "  %s: {timeoutMs: %d, onPage: %t, bypass: %t, reads: %t},\n",
			m.Type, m.Timeout.Milliseconds(), m.OnPage, m.Bypass, m.Reads)
	}
	b.WriteString("};\n\n")
	b.WriteString("/** errorInfo is the table of error codes: the advice to an agent, and how it may be tried again. */\n" +
		"export const errorInfo: Readonly<Record<ErrorCode, {readonly advice: string; readonly retryable: Retryable}>> = {\n")
	for _, c := range protocol.ErrorCodes {
		fmt.Fprintf(&b, "  %s: {advice: %s, retryable: %s},\n", c.Code, quote(c.Advice), quote(string(c.Retryable)))
	}
	b.WriteString("};\n\n")
	rpc(&b)
	b.WriteString("/** features lists what this version has beyond plain version 4, for hello's caps. */\nexport const features: readonly string[] = [\n")
	for _, f := range protocol.Features() {
		fmt.Fprintf(&b, "  %s,\n", quote(f))
	}
	b.WriteString("];\n\n/** limits are the wire's limits, the same on both sides: bytes, milliseconds, counts and close codes. */\nexport const limits = {\n")
	for _, l := range limits() {
		fmt.Fprintf(&b, "  %s: %d,\n", l.name, l.value)
	}
	b.WriteString("} as const;\n")
	return b.Bytes()
}

type limit struct {
	name  string
	value int64
}

func limits() []limit {
	return []limit{
		{"protocolVersion", protocol.Version},
		{"rpcVersion", protocol.RPCVersion},
		{"minProtocolVersion", protocol.MinVersion},
		{"heartbeatMs", protocol.Heartbeat.Milliseconds()},
		{"pongTimeoutMs", protocol.PongTimeout.Milliseconds()},
		{"handshakeTimeoutMs", protocol.HandshakeTimeout.Milliseconds()},
		{"handshakeBytes", protocol.HandshakeBytes},
		{"chunkThreshold", protocol.ChunkThreshold},
		{"chunkBytes", protocol.ChunkBytes},
		{"answerBytes", protocol.AnswerBytes},
		{"maxTimeoutMs", protocol.MaxTimeout.Milliseconds()},
		{"timeoutSlackMs", protocol.TimeoutSlack.Milliseconds()},
		{"ledgerCalls", protocol.LedgerCalls},
		{"maxDepth", protocol.MaxDepth},
		{"maxInvalidFrames", protocol.MaxInvalidFrames},
		{"textBytes", protocol.TextBytes},
		{"markdownBytes", protocol.MarkdownBytes},
		{"maxElements", protocol.MaxElements},
		{"evaluateBytes", protocol.EvaluateBytes},
		{"closeUnauthorized", protocol.CloseUnauthorized},
		{"closeVersion", protocol.CloseVersion},
		{"closeSilent", protocol.CloseSilent},
		{"closeReplaced", protocol.CloseReplaced},
		{"closeInvalidFrames", protocol.CloseInvalidFrames},
		{"closeGoingAway", protocol.CloseGoingAway},
	}
}

func strs[S ~string](in []S) (out []string) {
	for _, s := range in {
		out = append(out, string(s))
	}
	return out
}

func union(b *bytes.Buffer, name, what string, variants []protocol.Variant) {
	comment(b, "", what)
	fmt.Fprintf(b, "export type %s =\n", name)
	for _, v := range variants {
		fmt.Fprintf(b, "  | %s\n", v.Type.Name())
	}
	b.WriteString("  ;\n\n")
}

func list(b *bytes.Buffer, name, what string, values []string) {
	comment(b, "", what)
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	fmt.Fprintf(b, "export type %s = %s;\n\n", name, strings.Join(quoted, " | "))
}

func comment(b *bytes.Buffer, indent, text string) {
	if text != "" {
		fmt.Fprintf(b, "%s/** %s */\n", indent, strings.Join(strings.Fields(text), " "))
	}
}

func quote(s string) string {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return string(q)
}

func tsType(s *jsonschema.Schema) string {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return name
	}
	if s.Const != nil {
		return quote(fmt.Sprint(s.Const))
	}
	if len(s.Enum) > 0 {
		var out []string
		for _, v := range s.Enum {
			out = append(out, quote(fmt.Sprint(v)))
		}
		return strings.Join(out, " | ")
	}
	switch s.Type {
	case "string":
		return "string"
	case "integer", "number":
		return "number"
	case "boolean":
		return "boolean"
	case "array":
		if t := tsType(s.Items); strings.Contains(t, "|") {
			return "(" + t + ")[]"
		} else {
			return t + "[]"
		}
	case "object":
		if s.AdditionalProperties != nil {
			return "Record<string, " + tsType(s.AdditionalProperties) + ">"
		}
		return "Record<string, unknown>"
	}
	return "unknown"
}
