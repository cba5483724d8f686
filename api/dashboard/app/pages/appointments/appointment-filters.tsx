// The filters of appointments, as the address has them.
import type { Agent, Business } from '../../api-types.ts';
import { route } from '../../router.ts';
import { chipsOf, Filter, FilterChips } from '../../ui/filters.tsx';
import { t } from '../../words/words.ts';

const STATUSES = ['booked', 'cancelled'] as const;

export interface AppointmentFilter {
  status?: (typeof STATUSES)[number];
  businessId?: string;
  callId?: string;
  resource?: string;
  agentId?: string;
}

export function filterOf(query: URLSearchParams): AppointmentFilter {
  const status = STATUSES.find((each) => each === query.get('status'));
  const [businessId, callId, resource, agentId] = ['business', 'call', 'with', 'agent'].map((name) => query.get(name));
  return {
    ...(status === undefined ? {} : { status }),
    ...(businessId ? { businessId } : {}),
    ...(callId ? { callId } : {}),
    ...(resource ? { resource } : {}),
    ...(agentId ? { agentId } : {}),
  };
}

export function AppointmentFilters({
  businesses,
  agents,
}: {
  businesses: readonly Business[];
  agents: readonly Agent[];
}) {
  const { query } = route.value;
  const chosen = query.get('business');
  const callId = query.get('call') ?? '';
  const staff = businesses.filter(({ id }) => chosen === null || id === chosen).flatMap(({ resources }) => resources);
  const filters = [
    {
      name: 'business',
      label: t('Business'),
      choices: businesses.map(({ id, name }) => [id, name] as const),
    },
    {
      name: 'with',
      label: t('With whom'),
      choices: [...new Set(staff.map(({ name }) => name))].map((name) => [name, name] as const),
    },
    {
      name: 'agent',
      label: t('Booked by the agent'),
      choices: agents.map(({ id, name }) => [id, name] as const),
    },
    {
      name: 'status',
      label: t('Status'),
      choices: [['booked', t('Booked')] as const, ['cancelled', t('Cancelled')] as const],
    },
  ];
  const callChips = callId === '' ? [] : [{ name: 'call', label: t('Of one call'), text: callId }];
  return (
    <search class="stack tight">
      <div class="filters">
        {filters
          .filter(({ name, choices }) => choices.length > 1 || query.get(name) !== null || name === 'status')
          .map((each) => (
            <Filter key={each.name} {...each} />
          ))}
      </div>
      <FilterChips chips={[...chipsOf(filters), ...callChips]} />
    </search>
  );
}
