// The page of one port-in order: its data, documents and history.
import { useState } from 'preact/hooks';
import { PORT_DOCUMENT_BYTES_MAX } from '../../../../../db/domain/field-limits.ts';
import { isOpenPort } from '../../../../../db/domain/port-order.ts';
import type { PortOrder } from '../../api-types.ts';
import { call } from '../../client.ts';
import { formatBytes, formatDay } from '../../format.ts';
import type { PageProps } from '../../page-props.ts';
import { link } from '../../router.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { Badge, Card, Facts, Notice, Page } from '../../ui/layout.tsx';
import { Answer } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { faultOf, useApi } from '../../use-api.ts';
import { t, words } from '../../words/words.ts';
import { PortBadge, PortHistory } from './port-badge.tsx';

type DocumentKind = PortOrder['documents'][number]['kind'];
const DOCUMENTS: ReadonlyArray<[DocumentKind, string]> = [
  ['loa', words('Letter of authorisation')],
  ['bill', words('Bill of the other carrier')],
];
const back = () => ({ href: link('/phone-numbers', { tab: 'port-in' }), text: t('Port-in orders') });

export default function PortOrderPage({ params: { id = '' } }: PageProps) {
  const order = useApi('getPortOrder', { params: { id } });
  if (order.answer === null) {
    return (
      <Page title={t('Port-in order')} back={back()}>
        <Answer of={order}>{() => null}</Answer>
      </Page>
    );
  }
  return <LoadedOrder found={order.answer.data} key={id} />;
}

function LoadedOrder({ found }: { found: PortOrder }) {
  const [order, setOrder] = useState(found);
  const { id, phoneNumber, status } = order;
  const cancel = () =>
    confirm({
      title: t('Cancel the order for {phoneNumber}?', { phoneNumber }),
      text: t('The number stays where it is. To try again, start a new order.'),
      action: t('Cancel the order'),
      keep: t('Keep the order'),
      perform: async () => {
        setOrder((await call('cancelPortOrder', { params: { id } })).data);
        say(t('Order cancelled'));
      },
    });
  return (
    <Page
      title={t('Port-in of {phoneNumber}', { phoneNumber })}
      back={back()}
      actions={
        isOpenPort(status) ? (
          <Button look="danger" onClick={cancel}>
            {t('Cancel the order')}
          </Button>
        ) : undefined
      }
    >
      {status === 'DRAFT' && (
        <Notice tone="warn">{t('Upload both documents: the order is submitted when the second one is there.')}</Notice>
      )}
      {status === 'COMPLETED' && (
        <Notice tone="good">
          <span>
            {t('The number is yours.')} <a href={link('/phone-numbers')}>{t('Route it to a campaign.')}</a>
          </span>
        </Notice>
      )}
      <div class="columns">
        <div class="stack">
          <Facts
            facts={[
              [t('State'), <PortBadge key="status" status={status} />],
              [t('Move date'), order.focDate === null ? null : formatDay(order.focDate)],
              [t('Holder'), order.accountHolder],
              [t('Letter signed on'), formatDay(order.loaSignedAt)],
            ]}
          />
          <Card title={t('Documents')}>
            {DOCUMENTS.map(([kind, label]) => (
              <DocumentField key={kind} kind={kind} label={t(label)} order={order} onUploaded={setOrder} />
            ))}
          </Card>
        </div>
        <Card title={t('History')}>
          <PortHistory order={order} />
        </Card>
      </div>
    </Page>
  );
}

function DocumentField({
  kind,
  label,
  order: { id, status, documents },
  onUploaded,
}: {
  kind: DocumentKind;
  label: string;
  order: PortOrder;
  onUploaded: (order: PortOrder) => void;
}) {
  const [fault, setFault] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const document = documents.find((each) => each.kind === kind);
  const upload = async (file: File) => {
    if (file.size > PORT_DOCUMENT_BYTES_MAX)
      return setFault(
        t('The file has {size}: {number} is the most.', {
          size: formatBytes(file.size),
          number: formatBytes(PORT_DOCUMENT_BYTES_MAX),
        }),
      );
    setFault(undefined);
    setBusy(true);
    const body = new FormData();
    // The kind must be first: the service reads the parts in order.
    body.set('kind', kind);
    body.set('file', file);
    try {
      onUploaded((await call('uploadPortDocument', { params: { id }, body })).data);
      say(`${label}: ${t('uploaded')}`);
    } catch (error) {
      const { message, faults } = faultOf(error);
      setFault([message, ...faults.map((each) => each.message)].join(': '));
    } finally {
      setBusy(false);
    }
  };
  const isOpen = status === 'DRAFT' || status === 'SUBMITTED';
  const shown = document !== undefined && (
    <div class="row">
      <Badge tone="good">{t('Uploaded')}</Badge>
      <span>
        {document.fileName}, {formatBytes(document.bytes)}, <Time at={document.createdAt} />
      </span>
    </div>
  );
  if (!isOpen) {
    return (
      <div class="stack tight">
        <strong>{label}</strong>
        {shown || <span class="soft">{t('None')}</span>}
      </div>
    );
  }
  return (
    <div class="stack tight">
      <FileField
        label={label}
        hint={
          isBusy
            ? t('Uploading …')
            : document === undefined
              ? t('PDF, PNG or JPEG, up to {size}', { size: formatBytes(PORT_DOCUMENT_BYTES_MAX) })
              : t('Another one replaces it, up to {size}', { size: formatBytes(PORT_DOCUMENT_BYTES_MAX) })
        }
        fault={fault}
        accept="application/pdf,image/png,image/jpeg"
        disabled={isBusy}
        onChange={(file) => void upload(file)}
      />
      {shown}
    </div>
  );
}
