// The schema of questions after calls: the filters, and for pages their sort.
import { type Static, Type } from 'typebox';
import { CALL_PROBLEMS } from '../../../db/domain/calls/problems.ts';
import { oneOf } from '../../frame/envelope-schema.ts';
import { instant } from '../../frame/instants.ts';
import { pageQuery } from '../../frame/pagination.ts';
import { CALL_STATUSES, DIRECTIONS, SENTIMENTS } from '../schema.ts';

const Id = Type.String({ minLength: 1, maxLength: 200 });

const filters = {
  direction: Type.Optional(oneOf(DIRECTIONS)),
  status: Type.Optional(oneOf(CALL_STATUSES)),
  outcome: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  sentiment: Type.Optional(oneOf(SENTIMENTS)),
  businessId: Type.Optional(Id),
  campaignId: Type.Optional(Id),
  agentId: Type.Optional(Id),
  phoneNumberId: Type.Optional(Id),
  startDate: Type.Optional(instant('From', 'startedAt')),
  endDate: Type.Optional(instant('To', 'startedAt')),
  minScore: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Calls with this score or a better one' }),
  ),
  maxScore: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Calls with this score or a worse one' })),
  disposition: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  forwardedFrom: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'E.164: calls that were forwarded from this number' }),
  ),
  problem: Type.Optional(
    oneOf([...CALL_PROBLEMS, 'any'] as const, {
      description: 'Calls in which somebody found this wrong (`PUT /calls/:id/problems/:timestamp`); `any`: anything',
    }),
  ),
  number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'E.164: calls from this number, and calls to it' }),
  ),
};

/** `output.NAME=value`: calls with exactly this value of the output. */
const outputs = { patternProperties: { '^output\\.': Type.String({ maxLength: 200 }) } };

export const CallFilterQuery = Type.Object(filters, outputs);

const CALL_SORTS = ['-startedAt', 'startedAt', '-score', 'score'] as const;

export const CallQuery = Type.Object(
  {
    ...pageQuery,
    ...filters,
    sort: Type.Optional(
      oneOf(CALL_SORTS, {
        description:
          '`-startedAt`: newest first, as without it. By `score` only calls that have one; those of one score by time',
      }),
    ),
  },
  outputs,
);
export type CallQuery = Static<typeof CallQuery>;
