import { Button, Card } from '@/shared/ui';
import { BulkRows } from './bulk-rows';
import type { BulkResult } from './use-bulk-grants';

/** What was granted, row by row. */
export function BulkOutcome({ result, onRestart }: { result: BulkResult; onRestart: () => void }) {
  const { message, rows, repeated } = result;
  return (
    <Card
      flush
      takesFocus
      title={message}
      description={repeated ? 'This batch was granted before. Nothing was granted now.' : undefined}
      actions={<Button onClick={onRestart}>Grant another file</Button>}
    >
      <BulkRows rows={rows} label="Granted rows" />
    </Card>
  );
}
