/** `npm run generate`: writes every file that is made from others; needs Python if a schema of the API has changed. */
import './generate-client.ts';
import './write-documents.ts';
