// An alert rule as the values of its form, and back to a body.
import type { AlertRule, CreateAlertRuleBody } from '../../api-types.ts';
import { isShare } from './alert-words.ts';

interface Recipient {
  by: AlertRule['to'][number]['by'];
  to: string;
  isSigned: boolean;
  /** Of a system; empty: as it is. */
  secret: string;
}

export interface AlertValues {
  name: string;
  metric: AlertRule['metric'];
  comparison: AlertRule['comparison'];
  /** A share in percent. */
  value: number | null;
  windowMinutes: string;
  minimumCalls: number | null;
  businessId: string | null;
  campaignId: string | null;
  agentId: string | null;
  to: Recipient[];
  quiet: AlertRule['quiet'];
}

export const freshRecipient = (): Recipient => ({ by: 'mail', to: '', isSigned: false, secret: '' });

export const freshAlert = (): AlertValues => ({
  ...{ name: '', metric: 'failed_share', comparison: 'above', value: 20, windowMinutes: '60', minimumCalls: 10 },
  ...{ businessId: null, campaignId: null, agentId: null, to: [freshRecipient()], quiet: null },
});

export const alertValues = (rule: AlertRule): AlertValues => ({
  ...{ name: rule.name, metric: rule.metric, comparison: rule.comparison },
  value: isShare(rule.metric) ? Math.round(rule.value * 10_000) / 100 : rule.value,
  ...{ windowMinutes: String(rule.windowMinutes), minimumCalls: rule.minimumCalls },
  ...{ businessId: rule.businessId, campaignId: rule.campaignId, agentId: rule.agentId },
  to: rule.to.map((each) => ({ ...each, secret: '' })),
  quiet: rule.quiet,
});

export function alertBody({ value, windowMinutes, minimumCalls, to, ...same }: AlertValues): CreateAlertRuleBody {
  const number = value ?? 0;
  return {
    ...same,
    name: same.name.trim(),
    value: isShare(same.metric) ? number / 100 : number,
    windowMinutes: Number(windowMinutes),
    minimumCalls: minimumCalls ?? 10,
    to: to.map(({ by, to: address, secret }) => ({
      by,
      to: address.trim(),
      ...(by === 'webhook' && secret !== '' ? { secret } : {}),
    })),
  };
}
