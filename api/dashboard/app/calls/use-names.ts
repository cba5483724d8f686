// Names of records by their ids, for lists that have ids only. The first hundred of each: an account has few.
import { useApi } from '../use-api.ts';

const QUERY = { query: { limit: 100 } } as const;
type Named = ReadonlyArray<{ id: string; name: string }>;

const mapOf = (records: Named | undefined): ReadonlyMap<string, string> =>
  new Map(records?.map(({ id, name }) => [id, name]));

export const useCampaignNames = () => mapOf(useApi('listCampaigns', QUERY).answer?.data);
export const useAgentNames = () => mapOf(useApi('listAgents', QUERY).answer?.data);
export const useBusinessNames = () => mapOf(useApi('listBusinesses', QUERY).answer?.data);

export const useNumbers = (): ReadonlyMap<string, string> =>
  new Map(useApi('listPhoneNumbers', QUERY).answer?.data.map(({ id, phoneNumber }) => [id, phoneNumber]));
