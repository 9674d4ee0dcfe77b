// Package chromium finds a Chromium on this machine, starts it with an extension inside, and stops it without
// leaving a process or a folder behind.
//
// The browser is driven over the debugging pipe (two inherited file descriptors), never over a port: nothing on the
// machine can reach it but the process that started it, and it ends by itself when that process does.
package chromium
