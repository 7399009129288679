import { clsx } from 'clsx';
import { Upload } from 'lucide-react';
import { useId, useState, type ChangeEvent, type DragEvent } from 'react';
import { describeRules, type UploadRules } from './upload-rules';

export interface FileDropProps {
  rules: UploadRules;
  /** One of the chooser; of a drop as many as were dropped. */
  onFiles: (files: readonly File[]) => void;
}

/** Where a file is picked or dropped. The whole area is the label of a real file input, so keyboard and phone work. */
export function FileDrop({ rules, onFiles }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    // The same file may be picked again after it failed.
    event.target.value = '';
    onFiles(files);
  };
  return (
    <div onDragEnter={drag(true)} onDragOver={drag(true)} onDragLeave={drag(false)} onDrop={drop}>
      <input
        id={id}
        type="file"
        className="peer sr-only"
        accept={rules.accept.join(',')}
        aria-describedby={`${id}-rules`}
        onChange={change}
      />
      <label
        htmlFor={id}
        className={clsx(
          'flex min-h-44 cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed p-4 text-center transition-colors',
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-nova',
          isOver ? 'border-nova bg-nova/10' : 'border-line-strong hover:border-ink-faint hover:bg-sky-700/40',
        )}
      >
        <Upload aria-hidden="true" className="size-6 text-ink-muted" />
        <span className="text-sm font-medium text-ink">
          Choose a file <span className="hidden font-normal text-ink-muted sm:inline">or drop it here</span>
        </span>
        <span id={`${id}-rules`} className="text-xs text-ink-faint">
          {describeRules(rules)}
        </span>
      </label>
    </div>
  );
}
