package main

// whys say, row by row, why another tool is better or an aim is missed there. They are printed only where that is so.
var whys = map[string]string{
	rowTaskAnswers: "agent-browser answers each step with the word Done, and chrome-devtools-mcp with a sentence; what the step did " +
		"takes another look there, and stands in our answer",
	rowClick: "an answer of ours waits until the page has not changed for 100 ms, so that it tells all that a click brought about; " +
		"the others answer at once, and what comes later takes another look",
	rowStart: "a server, a Chromium and the extension in it start one after the other, and then the extension is paired; " +
		"in daily use the browser runs already",
}
