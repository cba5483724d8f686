// How a port order goes on: the service's moves, and those that an admin chooses from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpenPort, NEXT_PORT_STATUSES, PORT_STATUSES, portMovesByHand } from '../../../db/domain/port-order.ts';

test('the documents submit an order, a person does not; all other moves are offered', () => {
  assert.ok(NEXT_PORT_STATUSES.DRAFT.includes('SUBMITTED'));
  assert.deepEqual(portMovesByHand('DRAFT'), ['CANCELLED']);
  for (const status of PORT_STATUSES.filter((each) => each !== 'DRAFT'))
    assert.deepEqual(portMovesByHand(status), NEXT_PORT_STATUSES[status]);
});

test('an order is open until it is completed, rejected or cancelled', () => {
  assert.deepEqual(PORT_STATUSES.filter(isOpenPort), ['DRAFT', 'SUBMITTED', 'IN_REVIEW', 'FOC_SCHEDULED']);
});
