package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestServerAndExtensionAgree holds this package's decoders against the extension's parser and
// validators, the code that really runs there, on documents made from the schema and then bent.
func TestServerAndExtensionAgree(t *testing.T) {
	type document struct{ validator, text string }
	var documents []document
	rng := rand.New(rand.NewPCG(1, 2))
	maker := newMaker(t, rng)
	for range 12 {
		for _, v := range Actions.Variants {
			documents = append(documents, document{"action", maker.bent(v.Type.Name())})
		}
		for _, v := range Events.Variants {
			documents = append(documents, document{"event", maker.bent(v.Type.Name())})
		}
		for _, v := range Frames.Variants {
			documents = append(documents, document{"frame", maker.bent(v.Type.Name())})
		}
		for _, m := range Methods {
			documents = append(documents, document{"result_" + m.Result.Name(), maker.bent(m.Result.Name())})
		}
	}
	for _, text := range []string{
		`{"type":"ping"}`, `{"type":"ping","Type":"pong"}`, `{"type":"ping","type":"ping"}`, `{"type":"ping","typ\u0065":"ping"}`,
		`{"type":"ping","x":1.0}`, `{"type":"ping","x":1e3}`, `{"type":"ping","x":9007199254740993}`, `{"type":"ping","x":1e999}`,
		`{"type":"ping","x":0.5}`, `{"type":"ping","x":-0}`, `{"type":"ping","value":{"a":1,"A":1e3}}`, `{"type":"ping","value":1e3}`,
		`{"type":"ping","x":{"value":[{"b":1,"B":2}],"c":1,"C":2}}`, `{"type":"ping","x":"\ud800"}`, `{"type":"ping","x":"a\"b:{"}`,
		`{"type":"ping","x":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`,
		`{"type":"ping","x":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`,
		`[]`, `null`, `"ping"`, `{}`, ``, `{"type":"ping"} {"type":"ping"}`, `{"type":"ping",}`, `{"type":1}`, `{"TYPE":"ping"}`,
	} {
		documents = append(documents, document{"frame", text})
	}

	pairs := make([][2]string, len(documents))
	for i, d := range documents {
		pairs[i] = [2]string{d.validator, d.text}
	}
	input, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "agree.mjs")
	cmd.Dir = filepath.Join("..", "extension")
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("run the extension's validators (needs node and npm ci in extension/): %v\n%s", err, stderr.String())
	}
	var verdicts []string
	if err := json.Unmarshal(output, &verdicts); err != nil {
		t.Fatal(err)
	}

	accepted, refused := 0, 0
	for i, d := range documents {
		goErr := judge(d.validator, []byte(d.text))
		if (goErr == nil) != (verdicts[i] == "") {
			t.Errorf("%s %.300s\n  server:    %v\n  extension: %s", d.validator, d.text, goErr, verdicts[i])
		}
		if goErr == nil {
			accepted++
		} else {
			refused++
		}
	}
	// A corpus that is all of one kind would prove nothing.
	if accepted < len(documents)/5 || refused < len(documents)/5 {
		t.Errorf("corpus is lopsided: %d accepted, %d refused", accepted, refused)
	}
}

func judge(validator string, raw []byte) error {
	switch validator {
	case "action":
		_, err := DecodeAction(raw)
		return err
	case "event":
		e, err := decodeEvent(raw)
		if err == nil && e == nil {
			return fmt.Errorf("unknown event")
		}
		return err
	case "frame":
		f, err := DecodeFrame(raw)
		if e, ok := f.(EventFrame); ok && err == nil && e.Event.Event == nil {
			return fmt.Errorf("unknown event")
		}
		return err
	}
	if err := checkKeys(raw); err != nil {
		return err
	}
	i := slices.IndexFunc(Methods, func(m Method) bool { return "result_"+m.Result.Name() == validator })
	_, err := DecodeResult(Methods[i].Type, raw)
	return err
}

// maker makes documents that fit a definition of the schema, and bends them.
type maker struct {
	rng  *rand.Rand
	defs map[string]map[string]any
}

func newMaker(t *testing.T, rng *rand.Rand) *maker {
	t.Helper()
	var doc struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(Schema, &doc); err != nil {
		t.Fatal(err)
	}
	return &maker{rng: rng, defs: doc.Defs}
}

func (m *maker) bent(def string) string {
	members := m.object(m.defs[def])
	if m.rng.IntN(5) > 1 {
		m.bend(&members)
	}
	return render(members)
}

// member keeps the order and allows duplicate keys, which a map would not.
type member struct {
	key   string
	value any // JSON text, or []member
}

func render(v any) string {
	switch v := v.(type) {
	case []member:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = fmt.Sprintf("%q:%s", m.key, render(m.value))
		}
		return "{" + strings.Join(parts, ",") + "}"
	case string:
		return v
	}
	panic(fmt.Sprintf("render %T", v))
}

func (m *maker) object(def map[string]any) []member {
	if alternatives, ok := def["oneOf"].([]any); ok && def["properties"] == nil {
		return m.object(m.resolve(alternatives[m.rng.IntN(len(alternatives))]))
	}
	properties, _ := def["properties"].(map[string]any)
	required, _ := def["required"].([]any)
	chosen := map[string]bool{}
	for _, r := range required {
		chosen[r.(string)] = true
	}
	for key := range sorted(properties) {
		if m.rng.IntN(3) == 0 {
			chosen[key] = true
		}
	}
	rules, _ := def["allOf"].([]any)
	for _, rule := range rules {
		m.obey(rule.(map[string]any), chosen)
	}
	var out []member
	for key, value := range sorted(properties) {
		if chosen[key] {
			out = append(out, member{key, m.value(m.resolve(value))})
		}
	}
	return out
}

func (m *maker) obey(rule map[string]any, chosen map[string]bool) {
	var names []string
	for _, alternative := range rule["oneOf"].([]any) {
		if r, ok := alternative.(map[string]any)["required"].([]any); ok {
			names = append(names, r[0].(string))
		}
	}
	for _, n := range names {
		delete(chosen, n)
	}
	chosen[names[m.rng.IntN(len(names))]] = true
}

func (m *maker) resolve(v any) map[string]any {
	s := v.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return m.defs[strings.TrimPrefix(ref, "#/$defs/")]
	}
	return s
}

func (m *maker) value(s map[string]any) any {
	if c, ok := s["const"]; ok {
		return fmt.Sprintf("%q", c)
	}
	if e, ok := s["enum"].([]any); ok {
		return fmt.Sprintf("%q", e[m.rng.IntN(len(e))])
	}
	switch s["type"] {
	case "string":
		if p, ok := s["pattern"].(string); ok && strings.HasPrefix(p, "^e") {
			return fmt.Sprintf("%q", fmt.Sprintf("e%d", m.rng.IntN(100)))
		} else if ok {
			return `"123e4567-e89b-42d3-a456-426614174000"`
		}
		return []any{`"text"`, `"ünï ❤ 語"`, `"\ud83d\ude00"`, `"<b>&amp;</b>"`}[m.rng.IntN(4)]
	case "integer":
		low, _ := s["minimum"].(float64)
		return fmt.Sprint(int64(low) + 1)
	case "number":
		return []any{"0", "1.5", "12"}[m.rng.IntN(3)]
	case "boolean":
		return []any{"true", "false"}[m.rng.IntN(2)]
	case "array":
		return "[" + render(m.value(m.resolve(s["items"]))) + "]"
	case "object":
		if s["properties"] == nil && s["oneOf"] == nil {
			return "{}"
		}
		return m.object(s)
	}
	return []any{`null`, `{"a":1}`, `[1,"x"]`, `"any"`, `7`}[m.rng.IntN(5)]
}

// bend breaks, or only stretches, one thing of an object or of one below it.
func (m *maker) bend(members *[]member) {
	list := *members
	if len(list) == 0 {
		*members = append(list, member{"extra", "1"})
		return
	}
	i := m.rng.IntN(len(list))
	if inner, ok := list[i].value.([]member); ok && m.rng.IntN(2) == 0 {
		m.bend(&inner)
		list[i].value = inner
		return
	}
	switch m.rng.IntN(8) {
	case 0:
		*members = slices.Delete(list, i, i+1)
	case 1:
		*members = append(list, list[i])
	case 2:
		*members = append(list, member{strings.ToUpper(list[i].key), list[i].value})
	case 3:
		list[i].key = strings.ToUpper(list[i].key)
	case 4:
		*members = append(list, member{"unknown", `{"deep":[1,2,{"x":null}]}`})
	case 5:
		list[i].value = []any{"null", "1", "1.0", "-1", "1e400", "true", `""`, `"x"`, "[]", "{}", "9007199254740992", "0.25"}[m.rng.IntN(12)]
	case 6:
		*members = append(list, member{"uid", `"e1"`}, member{"selector", `"#a"`})
	case 7:
		list[i].value = fmt.Sprintf("%q", strings.Repeat("é", 1+m.rng.IntN(600)))
	}
}

func sorted(m map[string]any) func(func(string, any) bool) {
	return func(yield func(string, any) bool) {
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
