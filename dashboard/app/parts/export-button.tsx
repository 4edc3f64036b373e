import Download from '@mui/icons-material/Download';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { useEffect, useRef, useState } from 'react';
import { useDataProvider, useListContext, useNotify } from 'react-admin';
import { messageOf } from '../core/message-of.ts';
import type { DashboardData } from '../core/data-provider.ts';
import type { DownloadedFile } from '../core/request.ts';

/** Spreadsheets take a file for UTF-8 if it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Saves all rows that the filters of the list select, as a CSV file. A second click stops it. */
export function ExportButton() {
  const list = useListContext();
  const { resource } = list;
  const filterValues: unknown = list.filterValues;
  const { exportRows } = useDataProvider<DashboardData>();
  const notify = useNotify();
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);

  const begin = async () => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    try {
      const filter = (filterValues ?? {}) as Readonly<Record<string, unknown>>;
      const file = await exportRows(resource, filter, controller.signal);
      save(file);
      notify(noticeOf(file), { type: file.truncatedTo === null ? 'success' : 'warning' });
    } catch (error) {
      if (!controller.signal.aborted) notify(messageOf(error), { type: 'error' });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      size="small"
      onClick={() => (isRunning ? running.current?.abort() : void begin())}
      startIcon={isRunning ? <CircularProgress size={16} aria-label="Exporting" /> : <Download />}
    >
      {isRunning ? 'Stop the export' : 'Export CSV'}
    </Button>
  );
}

function noticeOf({ name, truncatedTo }: DownloadedFile): string {
  if (truncatedTo === null) return `Saved as ${name}.`;
  return `${name} has the newest ${truncatedTo.toLocaleString()} rows, and the list has more. Filter by the time of creation to get the others.`;
}

function save({ content, name }: DownloadedFile): void {
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, content], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
