// A record that two people edit at once: whose change would be lost without a word.

/** The fields of `values` that are others than those of `from`. */
export const differences = <T extends object>(values: T, from: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isEqual(value, from[name as keyof T])),
  ) as Partial<T>;

/**
 * The fields that would be sent and that have got another value meanwhile, one inside an object by its own name.
 * @param base the record from which was typed
 * @param newest the record as it stands now
 */
export function changedMeanwhile<T extends object>(base: T, typed: T, newest: T): string[] {
  const names = Object.keys(differences(typed, base)) as Array<keyof T & string>;
  return names
    .filter((name) => !isEqual(newest[name], base[name]) && !isEqual(newest[name], typed[name]))
    .flatMap((name) => {
      const [before, now] = [base[name], newest[name]];
      if (!isObject(before) || !isObject(now)) return [name];
      // A key that only one of them has counts too.
      return Object.keys({ ...differences(now, before), ...differences(before, now) });
    });
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
