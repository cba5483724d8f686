// A number that is recognised without libphonenumber is valid for it too, and of the same country and type.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { knownNumber } from '../../../db/domain/numbers/phone-plans.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';

const PER_COUNTRY = 60;

test('a number that is recognised is valid for libphonenumber too, of the same country and type', () => {
  const random = seededRandom(11);
  const digit = (): string => String(Math.floor(random() * 10));
  let recognised = 0;
  let missed = 0;
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples)?.number ?? `+${getCountryCallingCode(country)}201234567`;
    const code = getCountryCallingCode(country).length + 1;
    for (let i = 0; i < PER_COUNTRY; i++) {
      const from = code + Math.floor(random() * (example.length - code));
      const changed = [...example].map((char, at) => (at >= from && random() < 0.6 ? digit() : char)).join('');
      const number =
        i === 0 ? example : i % 10 === 1 ? changed + digit() : i % 10 === 2 ? changed.slice(0, -1) : changed;
      const parsed = parsePhoneNumberFromString(number);
      const isValid = parsed?.isValid() === true && parsed.number === number;
      const known = knownNumber(number);
      if (known !== null) {
        recognised++;
        assert.ok(isValid, `${number} of ${country}`);
        const type = parsed.getType()?.toLowerCase() ?? 'unknown';
        assert.deepEqual(known, { country: parsed.country, type }, `${number} of ${country}`);
      } else if (isValid) missed++;
    }
  }
  assert.ok(recognised > 5 * missed, `${recognised} recognised, ${missed} left to the library`);
});
