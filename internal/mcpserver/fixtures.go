package mcpserver

import "github.com/modelcontextprotocol/go-sdk/mcp"

// fixtures, in a build with the tag mcpfixtures, adds what the official conformance suite expects of any server; nil otherwise.
// It may change the options, and returns what to register with the server.
var fixtures func(*mcp.ServerOptions) (register func(*mcp.Server))
