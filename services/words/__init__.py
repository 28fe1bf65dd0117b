"""Texts for people, in the languages of the catalogues.

Job: turn a `Text` (a key and arguments) into a sentence. `en.json` has the messages of the server, in ICU's format.
In, Out: values and strings; the catalogue is read once, when the first sentence is asked for.
Owns: the catalogues. A language is one file.
Never: knows of a request, a game or a socket.
When it breaks: a key that no catalogue has is shown as it is, with its arguments, and logged; a test finds it before.
"""
