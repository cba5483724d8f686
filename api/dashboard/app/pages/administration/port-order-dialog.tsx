// The dialog in which an ADMIN reads a port-in order and moves it on.
import { useState } from 'preact/hooks';
import { type PortStatus, portMovesByHand } from '../../../../../db/domain/port-order.ts';
import type { AdminPortOrder } from '../../api-types.ts';
import { call } from '../../client.ts';
import { useForm } from '../../form.ts';
import { formatBytes, formatDay } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { Select, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Facts } from '../../ui/layout.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { t, words } from '../../words/words.ts';
import { PortBadge, PortHistory } from '../phone-numbers/port-badge.tsx';
import { PORT_WORDS } from '../phone-numbers/port-status.ts';

export function PortOrderDialog({
  order,
  onMoved,
  onClose,
}: {
  order: AdminPortOrder;
  onMoved: (order: AdminPortOrder) => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={t('Port-in of {phoneNumber}', { phoneNumber: order.phoneNumber })} isWide onClose={onClose}>
      <div class="columns">
        <div class="stack">
          <Facts
            facts={[
              [t('State'), <PortBadge key="status" status={order.status} />],
              [t('Holder'), order.accountHolder],
              [t('Letter signed on'), formatDay(order.loaSignedAt)],
              [t('Move date'), order.focDate === null ? null : formatDay(order.focDate)],
              [t('Account'), <code key="account">{order.accountId}</code>],
            ]}
          />
          <Documents order={order} />
          <PortHistory order={order} />
        </div>
        <MoveForm order={order} key={order.status} onMoved={onMoved} />
      </div>
      <div>
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

const KINDS: Record<AdminPortOrder['documents'][number]['kind'], string> = {
  loa: words('Letter of authorisation'),
  bill: words('Bill of the other carrier'),
};

function Documents({ order: { id, documents } }: { order: AdminPortOrder }) {
  const [busy, setBusy] = useState<string | null>(null);
  const open = async ({ id: documentId, fileName }: AdminPortOrder['documents'][number]) => {
    setBusy(documentId);
    await attempt(async () => download(await call('downloadPortDocument', { params: { id, documentId } }), fileName));
    setBusy(null);
  };
  if (documents.length === 0) return <p class="soft">{t('No documents yet.')}</p>;
  return (
    <div class="stack tight">
      {documents.map((document) => (
        <div class="row" key={document.id}>
          <Button isSmall isBusy={busy === document.id} onClick={() => void open(document)}>
            {t('Download')}
          </Button>
          <span>
            {t(KINDS[document.kind])}{' '}
            <span class="small soft">
              {document.fileName}, {formatBytes(document.bytes)}
            </span>
          </span>
        </div>
      ))}
    </div>
  );
}

function MoveForm({ order, onMoved }: { order: AdminPortOrder; onMoved: (order: AdminPortOrder) => void }) {
  const next = portMovesByHand(order.status);
  const [first] = next;
  const form = useForm<{ status: PortStatus; reason: string; focDate: string }>(
    { status: first ?? order.status, reason: '', focDate: '' },
    async ({ values: { status, reason, focDate } }) => {
      const { data } = await call('movePortOrder', {
        params: { id: order.id },
        body: {
          status,
          ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          ...(status === 'FOC_SCHEDULED' && focDate !== '' ? { focDate } : {}),
        },
      });
      say(`${data.phoneNumber}: ${t(PORT_WORDS[data.status])}`);
      onMoved(data);
    },
  );
  if (first === undefined) return <p class="soft">{t('This order is closed.')}</p>;
  const { values, field } = form;
  return (
    <SubmitForm
      form={form}
      shown={['status', 'reason', 'focDate']}
      send={t('Move the order')}
      look={values.status === 'REJECTED' || values.status === 'CANCELLED' ? 'danger' : 'primary'}
    >
      <Select
        label={t('Move it to')}
        {...field('status')}
        choices={next.map((status) => ({ value: status, text: t(PORT_WORDS[status]) }))}
      />
      {values.status === 'FOC_SCHEDULED' && (
        <TextField
          label={t('Day on which it moves')}
          hint={t('The date the losing carrier has committed to')}
          type="date"
          required
          {...field('focDate')}
        />
      )}
      <TextArea
        label={values.status === 'REJECTED' ? t('Reason') : t('Note')}
        hint={t('The account reads it in the history')}
        {...field('reason')}
      />
      {values.status === 'COMPLETED' && (
        <p class="small soft">{t('The number then belongs to the account, unassigned and free of charge.')}</p>
      )}
    </SubmitForm>
  );
}
