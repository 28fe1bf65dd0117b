// Loaded before the engine (`node --require`): with a global fetch its loader mistakes node for a browser.
// Older nodes have a flag for this, newer ones dropped it.
delete globalThis.fetch;
