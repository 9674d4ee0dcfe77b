// Package e2e holds the end-to-end tests: the real server, a real Chromium and the real extension, driven through
// package client as any agent would, and judged by what pages, sites and the window manager saw.
package e2e
