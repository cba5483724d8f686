// Port orders at the connected carriers: an order goes to the oldest one that takes orders and offers its numbers to
// the account; without one, an ADMIN moves it as before. Afterwards it is found by its reference.
import { accountHasAdmin } from '../../db/queries/accounts/users.ts';
import { type CarrierRow, offeringCarriers } from '../../db/queries/numbers/carriers.ts';
import type { ApiPorts, TrunkParts } from './api/carrier-api.ts';
import { openCarrier } from './api/open.ts';
import type { CarrierPorts } from './carrier.ts';
import type { OrderTools } from './orders.ts';

export function connectedPorts(tools: OrderTools): CarrierPorts {
  const { db } = tools;
  const taking = async (isAdmin: boolean): Promise<Array<{ row: CarrierRow; ports: ApiPorts }>> => {
    const rows = await offeringCarriers(db, isAdmin);
    return rows.flatMap((row) => {
      const { ports } = openCarrier(row, tools);
      return ports === null ? [] : [{ row, ports }];
    });
  };
  return {
    async create(order) {
      const [first] = await taking(await accountHasAdmin(db, order.accountId));
      await first?.ports.create(order, JSON.parse(first.row.trunkParts) as TrunkParts);
    },
    async addDocument(reference, { kind, fileName, body }) {
      const all = await taking(true);
      if (all.length === 0) return;
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      for (const { ports } of all) if (await ports.addDocument(reference, { kind, fileName, bytes })) return;
    },
    async status(reference) {
      for (const { row, ports } of await taking(true)) {
        const state = await ports.status(reference);
        if (state !== null) return { ...state, at: { carrierId: row.id, trunkId: row.trunkId ?? '' } };
      }
      return null;
    },
    async cancel(reference) {
      for (const { ports } of await taking(true)) await ports.cancel(reference);
    },
  };
}
