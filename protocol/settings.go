package protocol

// Settings is what may stand in a drawbridge.json: the user's own, or a project's. The environment stands over
// both, and flags over all.
type Settings struct {
	// The address of this schema, for editors.
	Schema string `json:"$schema,omitempty"`
	// Name or id of the browser to act in. Absent: the only one connected.
	Browser string `json:"browser,omitempty" jsonschema:"minLength=1,maxLength=128"`
	// Under which name tabs are kept apart from other agents'. Default cli.
	Session string `json:"session,omitempty" jsonschema:"minLength=1,maxLength=64,pattern=^[A-Za-z0-9._:-]*$"`
	// How long an action may take, such as 10s or 1m30s. Absent: the action's own limit.
	Timeout string `json:"timeout,omitempty" jsonschema:"pattern=^([0-9]+([.][0-9]+)?(ms|s|m|h))+$"`
	// How answers are printed. Default text.
	Output string `json:"output,omitempty" jsonschema:"enum=text,enum=json"`
	// The server's data directory. In the user's own file only.
	DataDir string `json:"dataDir,omitempty" jsonschema:"minLength=1"`
	// The host:port that a server started here listens on. Default 127.0.0.1:47600. In the user's own file only.
	Addr string `json:"addr,omitempty" jsonschema:"minLength=1"`
	// The folder in which a server started here may read what browsers saved, whole path, or none. Default: where the user's
	// downloads go, and none when other machines are let in. In the user's own file only.
	Downloads string `json:"downloads,omitempty" jsonschema:"minLength=1"`
	// The address of a server elsewhere, https off this machine. Absent: the server of the data directory. In the user's own file
	// only.
	Server string `json:"server,omitempty" jsonschema:"pattern=^https?://"`
	// The file that holds the token for server. In the user's own file only.
	TokenFile string `json:"tokenFile,omitempty" jsonschema:"minLength=1"`
}
