// Package conformance is the wire written down: conversations between a server and an extension, each with prose on top
// and then one frame a section, in the order in which they pass. Whoever implements one side of either dialect can play them.
//
//	prose, and lines of the forms
//	let NAME = JSON              a value for "$NAME" where nobody has told it yet
//	only: server                 it is about one side, and is not played against the other (server, extension)
//	let pinned = true            the extension knows the server's key, "$serverKey"; "$proof" is that server's answer to the nonce
//
//	-- client --                 a frame of the extension; "client 2" is a second connection
//	-- server --                 a frame of the server
//	-- client raw --             text that is sent as it stands, to a server only
//	-- client binary --          the same as a binary message
//	-- client slow --            the same in many small pieces
//	-- server close 4001 --      the server ends the connection
//	-- client close --           the client ends it
//	-- client open --            the client connects and says nothing
//	-- agent --                  what an agent asks for, as POST /v1/act takes it; "agent NAME" is another agent
//	-- result --                 what the agent that asked first gets; "error" is its error
//	-- give up --                the agent that asked last asks no more
//
// In a frame "$NAME" stands for any value: the first one that passes is the value from then on. "$_" is any value each time,
// and "${NAME}" within a longer string is a string's text. A member "..." lets an object have more members than those given;
// without it an object has these and no others. "$text:N" is a string of N characters.
package conformance
