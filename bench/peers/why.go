package main

// whys say, row by row, why another tool is better or an aim is missed there. They are printed only where that is so.
var whys = map[string]string{
	rowTaskAnswers: shortWhy,
	rowTaskAll:     shortWhy,
	rowClick: "an answer of ours waits for the page's next frame, and until a page that changed has not changed again for 25 ms, so " +
		"that it tells all that a click brought about; the others answer at once, and what comes later takes another look",
	rowTask: "each of our clicks waits for the page's next frame, up to 16 ms, and each value is read back and compared with what " +
		"was asked; the others answer once the input is sent",
	rowFill: "a field's value is read back and compared, and what the page did with it stands in the answer",
	rowEvaluate: "an action of ours is checked against the rules before and after, and written down before it is done, so that its " +
		"outcome is known after a cut as well",
	rowStart: "a server, a Chromium and the extension in it start one after the other, and then the extension is paired; " +
		"in daily use the browser runs already",
}

const shortWhy = "agent-browser answers each step with the word Done, and chrome-devtools-mcp with a sentence; what the step did takes " +
	"another look there, and stands in our answer"

// lookWhy is for the looks: those of the page's controls and of all of it alike.
const lookWhy = "a look of ours is one walk that finds for each control of the whole page whether a person can see it, its role, its " +
	"name and its state, also for what is shown only when the look is gone on with: what is not known could not be told as new after " +
	"the next click"
