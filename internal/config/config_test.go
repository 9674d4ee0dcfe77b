package config_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/config"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// place makes folders with files in them; the working folder is work, below the home folder.
func place(t *testing.T, files map[string]string, env map[string]string) config.Place {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config.Place{
		WorkDir: filepath.Join(root, "home/repo/sub/work"), Home: filepath.Join(root, "home"),
		UserFile: filepath.Join(root, "home/.config/drawbridge/drawbridge.json"),
		Env:      func(name string) string { return env[name] },
	}
}

func TestEachSourceStandsOverTheNext(t *testing.T) {
	p := place(t, map[string]string{
		"home/repo/drawbridge.json":                    `{"$schema": "x", "session": "project", "timeout": "3s", "browser": "project"}`,
		"home/.config/drawbridge/drawbridge.json":      `{"session": "user", "output": "json", "dataDir": "data", "server": "https://x.test", "tokenFile": "~/t"}`,
		"home/repo/sub/work/deeper/drawbridge.json":    `{"session": "too deep"}`,
		"drawbridge.json":                              `{"session": "above the home folder"}`,
		"home/repo/sub/work/drawbridge.json/directory": "",
	}, map[string]string{"DRAWBRIDGE_TIMEOUT": "4s", "DRAWBRIDGE_BROWSER": "env"})
	got, err := p.Load(map[string]string{"browser": "flag"})
	if err != nil {
		t.Fatal(err)
	}
	project, user := filepath.Join(p.Home, "repo/drawbridge.json"), p.UserFile
	for name, want := range map[string]config.Setting{
		"browser":   {Value: "flag", Source: config.FromFlag, Where: "--browser"},
		"timeout":   {Value: "4s", Source: config.FromEnv, Where: "DRAWBRIDGE_TIMEOUT"},
		"session":   {Value: "project", Source: config.FromProject, Where: project},
		"output":    {Value: "json", Source: config.FromUser, Where: user},
		"dataDir":   {Value: filepath.Join(filepath.Dir(user), "data"), Source: config.FromUser, Where: user},
		"tokenFile": {Value: filepath.Join(p.Home, "t"), Source: config.FromUser, Where: user},
		"addr":      {Source: config.FromDefault},
	} {
		want.Name = name
		if got[name] != want {
			t.Errorf("%s is %+v, want %+v", name, got[name], want)
		}
	}
}

func TestTheSearchEnds(t *testing.T) {
	beyond := map[string]string{"home/drawbridge.json": `{"session": "home"}`, "drawbridge.json": `{"session": "above"}`}
	p := place(t, beyond, nil)
	if got := p.Find(); got != filepath.Join(p.Home, config.FileName) {
		t.Errorf("found %q, want the home folder's", got)
	}
	beyond["home/repo/.git/HEAD"] = ""
	if got := place(t, beyond, nil).Find(); got != "" {
		t.Errorf("found %q beyond the repository's root", got)
	}
	delete(beyond, "home/drawbridge.json")
	delete(beyond, "home/repo/.git/HEAD")
	if got := place(t, beyond, nil).Find(); got != "" {
		t.Errorf("found %q above the home folder", got)
	}
	p.UserFile = filepath.Join(p.Home, config.FileName)
	if got := p.Find(); got != "" {
		t.Errorf("the user's own file %q passed for a project's", got)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	const at = "home/repo/drawbridge.json"
	for text, want := range map[string]string{
		"{\n \"sesion\": \"x\"}":            "drawbridge.json:2: unknown setting \"sesion\": did you mean session?",
		`{"Session": "x"}`:                  "did you mean session?",
		`{"colour": "x"}`:                   "expected one of browser, session",
		"{\n\n \"timeout\": 3}":             "drawbridge.json:3: timeout must be a string, such as \"10s\"",
		`{"timeout": "soon"}`:               "timeout: 'soon' does not match pattern",
		`{"output": "xml"}`:                 `output: value must be one of 'text', 'json'`,
		`{"session": "a/b"}`:                "session: 'a/b' does not match pattern",
		`{"session": {"a": 1}}`:             "session must be a string",
		`{"session": "a", "session": "b"}`:  "duplicate",
		`[]`:                                "expected an object",
		`{"session": "a"} {}`:               "stands behind the object",
		`{"session": "a"`:                   "drawbridge.json:1:",
		``:                                  "drawbridge.json:1:",
		strings.Repeat(" ", 70_000) + "{}":  "more than 65536 bytes",
		`{"server": "http://10.0.0.1"}`:     "server may not stand in a project's file",
		`{"tokenFile": "/etc/passwd"}`:      "tokenFile may not stand in a project's file",
		`{"dataDir": "."}`:                  "dataDir may not stand in a project's file",
		`{"addr": "0.0.0.0:1"}`:             "addr may not stand in a project's file",
		`{"chromium": "/tmp/evil"}`:         "unknown setting \"chromium\"",
		`{"session": "x", "token": "db_x"}`: "unknown setting \"token\"",
	} {
		_, err := place(t, map[string]string{at: text}, nil).Load(nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %s", text, err, want)
		}
	}
	_, err := place(t, nil, map[string]string{"DRAWBRIDGE_TIMEOUT": "soon"}).Load(nil)
	if err == nil || !strings.Contains(err.Error(), "the variable DRAWBRIDGE_TIMEOUT: timeout: ") {
		t.Errorf("a wrong variable: %v", err)
	}
}

// The table and the schema have the same members, so that neither knows a setting that the other lacks.
func TestTheSchemaDescribesEachSetting(t *testing.T) {
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(protocol.SettingsSchema, &schema); err != nil {
		t.Fatal(err)
	}
	for _, key := range config.Keys {
		if schema.Properties[key.Name] == nil {
			t.Errorf("the schema lacks %s", key.Name)
		}
		delete(schema.Properties, key.Name)
	}
	if len(schema.Properties) != 1 || schema.Properties["$schema"] == nil {
		t.Errorf("the schema has more: %v", schema.Properties)
	}
}
