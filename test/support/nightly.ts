// Tests that run each night only: another language, vendor or way of what a test that always runs shows already.

/** Why such a test is skipped. `NIGHTLY=1` runs it. */
export const nightly =
  process.env.NIGHTLY === '1' ? false : 'one of its kind runs always, the others each night (NIGHTLY=1)';
