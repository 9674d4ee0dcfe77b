// Package protocol is Drawbridge's vocabulary: every action, result, event, error and frame that
// crosses a wire, declared once as Go structs.
//
// Everything else is made from this package or ranges over it: the JSON Schema, the extension's
// TypeScript types and validator, the reference page docs/actions.md, the MCP tool's input, the
// command line. Run "go generate ./protocol" after a change; a test fails while the generated
// files are stale.
//
// Field tags carry limits, doc comments carry units, defaults and meaning: both reach the schema.
package protocol

//go:generate go run ./gen
