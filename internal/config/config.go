// Package config finds out the command line's settings: flags stand over the environment, that over the project's
// drawbridge.json, and that over the user's.
//
// A project's file came with the project and may be anybody's: it may say how to work, never where to send a token,
// which files to use or which programs to run.
package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FileName is the name of a settings file, a project's or the user's.
const FileName = "drawbridge.json"

// Key is one setting.
type Key struct {
	// Name is the member of the file, as in protocol.Settings.
	Name string
	// Env is the variable that stands over the files.
	Env string
	// Flag is the command line's flag that stands over both; empty where each command has its own or none has.
	Flag string
	// Default is what is so when nobody says anything; empty means that there is no value.
	Default string
	// Project is true where a project's file may say it.
	Project bool
}

// Keys is every setting, in the order in which they are shown.
var Keys = []Key{
	{Name: "browser", Env: "DRAWBRIDGE_BROWSER", Flag: "browser", Project: true},
	{Name: "session", Env: "DRAWBRIDGE_SESSION", Flag: "session", Default: "cli", Project: true},
	{Name: "timeout", Env: "DRAWBRIDGE_TIMEOUT", Flag: "timeout", Project: true},
	{Name: "output", Env: "DRAWBRIDGE_OUTPUT", Flag: "json", Default: "text", Project: true},
	{Name: "dataDir", Env: "DRAWBRIDGE_DATA_DIR", Flag: "data-dir"},
	{Name: "addr", Env: "DRAWBRIDGE_ADDR"},
	{Name: "downloads", Env: "DRAWBRIDGE_DOWNLOADS"},
	{Name: "server", Env: "DRAWBRIDGE_SERVER", Flag: "server"},
	{Name: "tokenFile", Env: "DRAWBRIDGE_TOKEN_FILE"},
}

// Source is where a setting comes from.
type Source string

// The sources, the strongest first.
const (
	FromFlag    Source = "flag"
	FromEnv     Source = "environment"
	FromProject Source = "project"
	FromUser    Source = "user"
	FromDefault Source = "default"
)

// Setting is one setting as it is in force.
type Setting struct {
	Name string `json:"name"`
	// Value is empty when nobody has set it and there is no default.
	Value  string `json:"value,omitempty"`
	Source Source `json:"source"`
	// Where is the file, the variable or the flag.
	Where string `json:"where,omitempty"`
}

// Settings is what is in force, by name.
type Settings map[string]Setting

// Value is one setting's value, empty when there is none.
func (s Settings) Value(name string) string { return s[name].Value }

// Place is where settings are looked for.
type Place struct {
	// WorkDir is where the search for a project's file begins.
	WorkDir string
	// Home is the user's home folder, the last in which a project's file is looked for; empty when it is not known.
	Home string
	// UserFile is the user's own file; empty when there is no place for one.
	UserFile string
	// Env reads the environment.
	Env func(name string) string
}

// Here is the place of this process.
func Here(env func(string) string) Place {
	p := Place{Env: env}
	p.WorkDir, _ = os.Getwd()    // a folder that is gone has no project
	p.Home, _ = os.UserHomeDir() // nor does everybody have a home
	if dir, err := os.UserConfigDir(); err == nil {
		p.UserFile = filepath.Join(dir, "drawbridge", FileName)
	}
	return p
}

// Find returns the project's file, empty when there is none: the nearest upwards from the working folder, as far as the root of a
// repository or the home folder. The user's own file is never a project's.
func (p Place) Find() string {
	if p.WorkDir == "" {
		return ""
	}
	for dir := filepath.Clean(p.WorkDir); ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, FileName)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && file != p.UserFile {
			return file
		}
		_, err := os.Stat(filepath.Join(dir, ".git")) // a folder, or a file in a worktree
		if err == nil || dir == filepath.Dir(dir) || p.Home != "" && dir == filepath.Clean(p.Home) {
			return ""
		}
	}
}

// Load finds out what is in force. flags are the values of the flags that were given, by the flags' names.
//
// An error names the file and the line of what is wrong, and what was expected.
func (p Place) Load(flags map[string]string) (Settings, error) {
	project, err := p.read(p.Find(), true)
	if err != nil {
		return nil, err
	}
	user, err := p.read(p.UserFile, false)
	if err != nil {
		return nil, err
	}
	all := Settings{}
	for _, key := range Keys {
		s := Setting{Name: key.Name, Value: key.Default, Source: FromDefault}
		for _, from := range []struct {
			source Source
			where  string
			value  string
		}{
			{FromFlag, "--" + key.Flag, flags[key.Flag]},
			{FromEnv, key.Env, p.Env(key.Env)},
			{FromProject, project.path, project.values[key.Name]},
			{FromUser, user.path, user.values[key.Name]},
		} {
			if from.value != "" {
				s.Value, s.Source, s.Where = from.value, from.source, from.where
				break
			}
		}
		if s.Source == FromEnv {
			if err := checkValue(key.Name, s.Value); err != nil {
				return nil, faultf("the variable %s: %v", key.Env, err)
			}
		}
		all[key.Name] = s
	}
	return all, nil
}

// file is a settings file that was read.
type file struct {
	path   string
	values map[string]string
}

// read reads a settings file; one that is not there has no settings.
func (p Place) read(path string, project bool) (file, error) {
	f := file{path: path}
	if path == "" {
		return f, nil
	}
	raw, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, faultf("read the settings: %v", err)
	}
	f.values, err = parse(path, raw)
	if err != nil {
		return f, err
	}
	for name := range f.values {
		i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
		if project && i >= 0 && !Keys[i].Project {
			return f, faultf("%s: %s may not stand in a project's file, which anybody may have written: put it into %s, or set %s",
				path, name, p.userFile(), Keys[i].Env)
		}
	}
	for _, name := range []string{"dataDir", "tokenFile"} { // beside the file that names them
		if value := f.values[name]; value != "" && !filepath.IsAbs(value) {
			if rest, home := strings.CutPrefix(value, "~/"); home && p.Home != "" {
				f.values[name] = filepath.Join(p.Home, rest)
			} else {
				f.values[name] = filepath.Join(filepath.Dir(path), value)
			}
		}
	}
	return f, nil
}

func (p Place) userFile() string {
	if p.UserFile == "" {
		return "the file of your own"
	}
	return p.UserFile
}
