// A port-in order's status as a badge, and its history.
import type { PortStatus } from '../../../../../db/domain/port-order.ts';
import type { PortOrder } from '../../api-types.ts';
import { History } from '../../ui/history.tsx';
import { Badge } from '../../ui/layout.tsx';
import { t } from '../../words/words.ts';
import { PORT_TONES, PORT_WORDS, stepsOf } from './port-status.ts';

export function PortBadge({ status }: { status: PortStatus }) {
  return <Badge tone={PORT_TONES[status]}>{t(PORT_WORDS[status])}</Badge>;
}

export function PortHistory({ order }: { order: PortOrder }) {
  return <History label={t('History of the order')} steps={stepsOf(order)} />;
}
