// Names of records by id, for lists that have only ids.
import { useAll } from '../use-all.ts';

const mapOf = (records: ReadonlyArray<{ id: string; name: string }> | null): ReadonlyMap<string, string> =>
  new Map(records?.map(({ id, name }) => [id, name]));

export const useCampaignNames = () => mapOf(useAll('listCampaigns').answer);
export const useAgentNames = () => mapOf(useAll('listAgents').answer);

export const useNumbers = (): ReadonlyMap<string, string> =>
  new Map(useAll('listPhoneNumbers').answer?.map(({ id, phoneNumber }) => [id, phoneNumber]));
