// Lists with pages: awaited, and gone through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Listing } from '../../../../api/clients/typescript/listing.ts';

/** A list of so many records, of which one more is made before each page but the first. */
function growing(total: number) {
  const ids = Array.from({ length: total }, (_, i) => total - i);
  const wishes: Array<{ page?: number | undefined; limit?: number | undefined }> = [];
  const load = async ({ page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined }) => {
    if (wishes.length > 0) ids.unshift(ids.length + 1);
    wishes.push({ page, limit });
    const data = ids.slice((page - 1) * limit, page * limit).map((id) => ({ id }));
    const totalPages = Math.ceil(ids.length / limit);
    const pagination = { page, limit, total: ids.length, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
    return { data, pagination };
  };
  return { load, wishes };
}

test('awaited it is the page that was asked for', async () => {
  const { load } = growing(50);
  const { data, pagination } = await new Listing(load, { page: 2, limit: 10 });
  assert.deepEqual([data[0]?.id, data.length, pagination.hasNext], [40, 10, true]);
});

test('going through it gives each record once, also while new ones are made', async () => {
  const { load, wishes } = growing(250);
  const ids: number[] = [];
  for await (const { id } of new Listing(load, {})) ids.push(id);
  assert.deepEqual(
    ids,
    Array.from({ length: 250 }, (_, i) => 250 - i),
  );
  assert.deepEqual(wishes[0], { page: 1, limit: 100 });
});

test('no page is loaded that nobody reads', async () => {
  const { load, wishes } = growing(250);
  assert.equal((await new Listing(load, { limit: 10 }).all(15)).length, 15);
  assert.equal(wishes.length, 2);
  assert.deepEqual(await new Listing(load, {}).all(0), []);
});
