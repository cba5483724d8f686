// The tab “What happened”: who is told of a business's calls, and the messages that went out.
import { call } from '../../client.ts';
import type { Form } from '../../form.ts';
import { NoticeLog } from '../../notices/notice-log.tsx';
import { NoticesCard } from '../../notices/notices-card.tsx';
import { currentPage } from '../../ui/table.tsx';
import { useApi } from '../../use-api.ts';
import type { BusinessValues } from './business-form.ts';

export function NoticesTab({ form, businessId }: { form: Form<BusinessValues>; businessId: string }) {
  const { values, set, faultOf, isChanged } = form;
  const messages = useApi('listNotices', { params: { id: businessId }, query: { page: currentPage(), limit: 20 } });
  const test = async (index: number) => {
    const { data } = await call('testNotice', { params: { id: businessId }, body: { index } });
    messages.reload();
    return data;
  };
  return (
    <>
      <NoticesCard
        rows={values.notify}
        timezone={values.timezone}
        onChange={(rows) => set('notify', rows)}
        faultOf={faultOf}
        hasChanges={isChanged}
        onTest={test}
      />
      <NoticeLog messages={messages} />
    </>
  );
}
