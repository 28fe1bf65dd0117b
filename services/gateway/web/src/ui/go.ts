// Going to another page of this site.

let leavingFor = '';
window.addEventListener('pageshow', () => {
  leavingFor = '';
});

/**
 * Go to a path once: the answer to a request and the event of the same game both lead there, and a second navigation
 * would abort the first. After coming back (`pageshow`) the same path can be gone to again.
 */
export function goTo(path: string): void {
  if (path === leavingFor) return;
  leavingFor = path;
  location.assign(path);
}
