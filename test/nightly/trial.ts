// Runs the parts of a trial one after the other: each prints what it saw, and says at its end whether it held.
export interface TrialPart<House> {
  name: string;
  /** Why it cannot run on this machine. */
  missing?: string | false;
  run(house: House): Promise<void>;
}

export function saw(text: string): void {
  process.stdout.write(`    ${text}\n`);
}

/** @throws Error with what was seen in place of what was expected */
export function expect(condition: boolean, seen: string): void {
  if (!condition) throw new Error(seen);
}

/** Runs the trials whose name contains `wanted`. Returns how many failed. */
export async function runTrial<House>(
  parts: ReadonlyArray<TrialPart<House>>,
  house: House,
  wanted = '',
): Promise<number> {
  let failed = 0;
  for (const { name, missing = false, run } of parts) {
    if (!name.includes(wanted)) continue;
    if (missing !== false) {
      process.stdout.write(`skip ${name}: ${missing}\n`);
      continue;
    }
    process.stdout.write(`${name}\n`);
    try {
      await run(house);
      process.stdout.write(`ok   ${name}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`FAIL ${name}: ${error instanceof Error ? error.stack : error}\n`);
    }
  }
  return failed;
}
