// The split of a campaign: versions of its agent, each with its share of the calls.
import type { SplitPart } from '../../db/domain/versions/split.ts';
import { getAgent } from '../../db/queries/businesses/agents.ts';
import { latestVersion, versionsByNumber } from '../../db/queries/businesses/versions.ts';
import type { CampaignTable } from '../../db/schema/campaigns.ts';
import type { Db } from '../../db/schema.ts';
import { type FieldError, invalid } from '../frame/errors.ts';

/**
 * Checks the split that a campaign would have; one that stays with its agent stays as it is.
 * @throws {ApiError} 422 where shares do not sum to 100, or a version is not kept
 */
export async function checkSplit(
  db: Db,
  accountId: string,
  columns: Partial<CampaignTable>,
  current: Pick<CampaignTable, 'agentId' | 'split'> | null,
): Promise<void> {
  const agentId = columns.agentId ?? current?.agentId;
  const split = columns.split ?? current?.split ?? '[]';
  const isSame = split === current?.split && agentId === current?.agentId;
  if (agentId === undefined || split === '[]' || isSame) return;
  if (columns.split === undefined)
    throw invalid([{ field: 'split', message: 'names versions of the former agent: send it anew, or []' }]);
  const parts = JSON.parse(split) as SplitPart[];
  const faults: FieldError[] = [];
  const sum = parts.reduce((total, { share }) => total + share, 0);
  if (sum !== 100) faults.push({ field: 'split', message: `shares sum to ${sum}, and must sum to 100` });
  const of = { accountId, subject: 'agent', subjectId: agentId } as const;
  const numbers = parts.map(({ version }) => version);
  const kept = new Set((await versionsByNumber(db, of, numbers)).keys());
  // An agent that was never changed since versions are kept has one that is kept nowhere.
  if ((await latestVersion(db, of)) === undefined) kept.add((await getAgent(db, accountId, agentId))?.version ?? 1);
  for (const [at, number] of numbers.entries()) {
    const field = `split[${at}].version`;
    if (numbers.indexOf(number) !== at) faults.push({ field, message: 'is named twice' });
    else if (!kept.has(number)) faults.push({ field, message: 'is no version of the agent that is kept' });
  }
  if (faults.length > 0) throw invalid(faults);
}
