// Package widgets are the controls of the window, in the look of tokens.json.
//
// Each can be used with the mouse and with the keyboard (Tab, Enter, Space) and
// shows where the keyboard is. Each names itself in the dump of rectangles
// (DumpName), for the test that clicks through the real window. They draw and
// hold no logic of a screen.
package widgets
