// Finds the known name that an unknown one was probably meant to be.

/** Levenshtein's distance: the fewest characters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known names by their distance to `name`, the nearest first, without regard to case. */
export function byDistance(name: string, known: readonly string[]): Array<{ name: string; distance: number }> {
  const wanted = name.toLowerCase();
  return known
    .map((each) => ({ name: each, distance: editDistance(wanted, each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
}
