package main

import (
	"bytes"
	"fmt"

	"github.com/drawbridge-browser/drawbridge/protocol"
)

// rpc writes the rpc dialect's method table and error codes.
func rpc(b *bytes.Buffer) {
	b.WriteString("/** RPCMethodMap gives each method's params and result by its name on the wire. */\nexport interface RPCMethodMap {\n")
	for _, m := range protocol.RPCMethods {
		fmt.Fprintf(b, "  %s: {params: %s; result: %s};\n", quote(m.Name), m.Params.Name(), m.Result.Name())
	}
	b.WriteString("}\n\n/** RPCMethodName is a method of the rpc dialect's white list. */\nexport type RPCMethodName = keyof RPCMethodMap;\n\n")

	b.WriteString("/** RPCMethodInfo is one row of the rpc dialect's method table. */\nexport interface RPCMethodInfo {\n" +
		"  /** Its friendly name. */\n  readonly key: string;\n" +
		"  /** The struct that its params must fit: the validator is rpc_ and that name. */\n  readonly params: RPCParamsName;\n" +
		"  /** It changes nothing. */\n  readonly reads: boolean;\n}\n\n")
	b.WriteString("/** RPCParamsName is the name of a struct of params. */\nexport type RPCParamsName =\n")
	seen := map[string]bool{}
	for _, m := range protocol.RPCMethods {
		if !seen[m.Params.Name()] {
			seen[m.Params.Name()] = true
			fmt.Fprintf(b, "  | %s\n", quote(m.Params.Name()))
		}
	}
	b.WriteString("  ;\n\n/** rpcMethods is the rpc dialect's white list. */\n" +
		"export const rpcMethods: Readonly<Record<RPCMethodName, RPCMethodInfo>> = {\n")
	for _, m := range protocol.RPCMethods {
		fmt.Fprintf(b, "  %s: {key: %s, params: %s, reads: %t},\n", quote(m.Name), quote(m.Key()), quote(m.Params.Name()), m.Reads)
	}
	b.WriteString("};\n\n/** rpcCodes are the rpc dialect's error codes by their names. */\nexport const rpcCodes = {\n")
	for _, c := range protocol.RPCCodes {
		fmt.Fprintf(b, "  %s: %d,\n", c.Name, c.Code)
	}
	b.WriteString("} as const;\n\n")
}
