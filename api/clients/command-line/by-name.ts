// Finds a record by its id or its name: people know names.
import { Failure } from './failure.ts';

interface Named {
  id: string;
  name: string;
}

/** @throws {Failure} where none, or more than one, is called so */
export async function byName<T extends Named>(records: AsyncIterable<T>, wanted: string, what: string): Promise<T> {
  const found: T[] = [];
  const names: string[] = [];
  for await (const record of records) {
    if (record.id === wanted) return record;
    if (record.name.toLowerCase() === wanted.toLowerCase()) found.push(record);
    names.push(record.name);
  }
  const [first] = found;
  if (first === undefined) {
    const known = names.length === 0 ? 'There is none yet' : `There are: ${names.slice(0, 20).join(', ')}`;
    throw new Failure(`There is no ${what} ${wanted}. ${known}`);
  }
  if (found.length > 1)
    throw new Failure(
      `${found.length} are called ${wanted}; name one by its id: ${found.map(({ id }) => id).join(', ')}`,
    );
  return first;
}
