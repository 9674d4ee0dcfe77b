package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// members is one object of the document; Go writes its members in the order of their names.
type members = map[string]any

// openAPI writes the HTTP API as OpenAPI 3.1, whose schemas are those of protocol.json.
func openAPI(s *schema) ([]byte, error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	var all struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	used := members{}
	paths := map[string]members{}
	for _, e := range protocol.Endpoints {
		if paths[e.Path] == nil {
			paths[e.Path] = members{}
		}
		paths[e.Path][strings.ToLower(e.Method)] = operation(e)
		for _, t := range []reflect.Type{e.Request, e.Response, reflect.TypeFor[protocol.Problem]()} {
			if t != nil {
				gather(t.Name(), all.Defs, used)
			}
		}
	}
	doc := members{
		"openapi": "3.1.0",
		"info": members{
			"title": "Drawbridge", "version": strconv.Itoa(protocol.Version),
			"description": "Has actions done in a person's own browser. Every error is a problem (RFC 9457) whose member error says what programs branch on.",
			"license":     members{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"servers":    []members{{"url": "http://127.0.0.1:47600", "description": "The server on this machine."}},
		"security":   []members{{"bearer": []string{}}},
		"paths":      paths,
		"components": members{"securitySchemes": members{"bearer": members{"type": "http", "scheme": "bearer"}}, "schemas": used},
	}
	raw, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	return append([]byte(strings.ReplaceAll(string(raw), "#/$defs/", "#/components/schemas/")), '\n'), nil
}

// placeholder finds the parameters in a path.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

func operation(e protocol.Endpoint) members {
	op := members{
		"operationId": e.Name, "summary": e.Summary, "description": "Needs a token of scope " + e.Scope + ".",
		"responses": responses(e),
	}
	var parameters []members
	for _, found := range placeholder.FindAllStringSubmatch(e.Path, -1) {
		parameters = append(parameters, members{"name": found[1], "in": "path", "required": true, "schema": members{"type": "string"}})
	}
	if e.Scope == protocol.ScopeAgent {
		parameters = append(parameters, members{
			"name": protocol.SessionHeader, "in": "header", "schema": members{"type": "string", "maxLength": 64, "pattern": "^[A-Za-z0-9._:-]*$"},
			"description": "Keeps the tabs of agents that share a token apart.",
		})
	}
	for _, q := range e.Query {
		parameters = append(parameters, members{
			"name": q.Name, "in": "query", "description": q.Description,
			"schema": members{"type": "integer", "minimum": 1, "maximum": q.Most},
		})
	}
	if parameters != nil {
		op["parameters"] = parameters
	}
	if e.Request != nil {
		op["requestBody"] = members{"required": true, "content": members{"application/json": members{"schema": ref(e.Request)}}}
	}
	return op
}

func responses(e protocol.Endpoint) members {
	all := members{
		"default": members{"description": "An error.", "content": members{"application/problem+json": members{"schema": ref(reflect.TypeFor[protocol.Problem]())}}},
	}
	switch {
	case e.File:
		// Bytes have no schema in OpenAPI 3.1: the media type says all there is.
		content := members{"*/*": members{}}
		text := members{"schema": members{"type": "string"}}
		all["200"] = members{"description": "The file.", "content": content, "headers": members{
			"Content-Disposition": text, "Content-Length": members{"schema": members{"type": "integer"}}, "ETag": text, "Accept-Ranges": text,
		}}
		all["206"] = members{"description": "The part that the header Range asks for; several parts are multipart/byteranges.", "content": content, "headers": members{"Content-Range": text}}
		all["304"] = members{"description": "The caller has it: the header If-None-Match names it."}
	case e.Stream:
		of := members{}
		if e.Response != nil {
			of["schema"] = ref(e.Response)
		}
		all["200"] = members{"description": "Done.", "content": members{"text/event-stream": of}}
	default:
		all["200"] = members{"description": "Done.", "content": members{"application/json": members{"schema": ref(e.Response)}}}
	}
	return all
}

func ref(t reflect.Type) members { return members{"$ref": "#/$defs/" + t.Name()} }

// refs finds what a schema refers to.
var refs = regexp.MustCompile(`"#/\$defs/(\w+)"`)

// gather puts a definition, and those it refers to, into used.
func gather(name string, all map[string]any, used members) {
	if _, done := used[name]; done {
		return
	}
	used[name] = all[name]
	raw, err := json.Marshal(all[name])
	if err != nil {
		panic("gen: a schema that was just read cannot be written: " + err.Error())
	}
	for _, found := range refs.FindAllStringSubmatch(string(raw), -1) {
		gather(found[1], all, used)
	}
}
