import { isolated } from '@app/domain';
import { useCallback, useEffect, useRef, useState } from 'react';
import { kindOfFile, type MediaKind, type UploadedFile, type UploadRules } from './upload-rules';

export type UploadPhase = 'empty' | 'ready' | 'sending' | 'offline' | 'sent';

export interface UploadState {
  readonly phase: UploadPhase;
  readonly file: File | null;
  readonly kind: MediaKind;
  /** A blob address of the picked file; null if there is none. */
  readonly previewUrl: string | null;
  /** 0 to 100. */
  readonly percent: number;
  /** One sentence, shown beside the file. */
  readonly error: string | null;
}

export interface Upload extends UploadState {
  /** Picks a file, if the rules allow it; several files are refused. */
  readonly pick: (files: readonly File[]) => Promise<void>;
  /**
   * Sends the picked file; if it has already arrived, returns the same result again. Null if it failed (see `error`) or
   * was cancelled.
   */
  readonly send: () => Promise<UploadedFile | null>;
  /** Stops sending; the file stays picked. */
  readonly cancel: () => void;
  /** Forgets the file. */
  readonly reset: () => void;
}

const EMPTY: UploadState = { phase: 'empty', file: null, kind: 'image', previewUrl: null, percent: 0, error: null };
const loadSender = () => import('./send-file');

/**
 * Uploads one file (rule uploads-4), over Uppy.
 * @param onSendFailed called if the file did not arrive, though it was not cancelled
 */
export function useUpload(rules: UploadRules, onSendFailed: () => void): Upload {
  const [state, setState] = useState<UploadState>(EMPTY);
  const sending = useRef<AbortController | null>(null);
  const sent = useRef<UploadedFile | null>(null);
  const preview = useRef<string | null>(null);
  const patch = useCallback((change: Partial<UploadState>) => setState((now) => ({ ...now, ...change })), []);

  const reset = useCallback(() => {
    sending.current?.abort();
    sending.current = null;
    sent.current = null;
    if (preview.current !== null) URL.revokeObjectURL(preview.current);
    preview.current = null;
    setState(EMPTY);
  }, []);
  useEffect(() => reset, [reset]);
  // Loaded when the dialog opens, so that a file can be picked, and can wait, on a device that goes offline later.
  useEffect(() => void loadSender().catch(() => undefined), []);

  const pick = async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    try {
      const { objectionTo } = await loadSender();
      const objection = objectionTo(files, rules);
      if (objection !== null) {
        patch({ error: objection });
        return;
      }
    } catch {
      patch({ error: 'The upload could not be prepared. Check your connection and try again.' });
      return;
    }
    reset();
    preview.current = URL.createObjectURL(file);
    patch({ phase: 'ready', file, kind: kindOfFile(file), previewUrl: preview.current });
  };

  const send = async (): Promise<UploadedFile | null> => {
    const { file, kind } = state;
    if (sent.current !== null) return sent.current;
    if (file === null || sending.current !== null) return null;
    const control = new AbortController();
    sending.current = control;
    patch({ phase: 'sending', percent: 0, error: null });
    try {
      const { sendFile } = await loadSender();
      const mediaUrl = await sendFile(file, {
        rules,
        signal: control.signal,
        onProgress: (percent) => patch({ percent }),
        onOffline: (isOffline) => patch({ phase: isOffline ? 'offline' : 'sending' }),
      });
      sent.current = { file, kind, mediaUrl };
      patch({ phase: 'sent', percent: 100 });
      return sent.current;
    } catch (error) {
      if (control.signal.aborted) return null;
      patch({ phase: 'ready', error: sentenceOf(error, file) });
      onSendFailed();
      return null;
    } finally {
      if (sending.current === control) sending.current = null;
    }
  };

  const cancel = () => {
    sending.current?.abort();
    sending.current = null;
    patch({ phase: state.file === null ? 'empty' : 'ready', percent: 0 });
  };
  return { ...state, pick, send, cancel, reset };
}

const sentenceOf = (error: unknown, file: File): string =>
  error instanceof Error && error.name === 'UploadFailed' ? error.message : `Failed to upload ${isolated(file.name)}`;
