import type { EngineLoader } from './engine.js';

export const loadEngine: EngineLoader = async (kind) => {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf-engine.js')).extractPdf;
    case 'docx':
      return (await import('./docx/docx-engine.js')).extractDocx;
    case 'pptx':
      return (await import('./pptx/pptx-engine.js')).extractPptx;
    case 'xlsx':
      return (await import('./xlsx/xlsx-engine.js')).extractXlsx;
    case 'odt':
      return (await import('./odf/odt-engine.js')).extractOdt;
    case 'odp':
      return (await import('./odf/odp-engine.js')).extractOdp;
    case 'ods':
      return (await import('./odf/ods-engine.js')).extractOds;
    case 'eml':
      return (await import('./mail/eml-engine.js')).extractEml;
    case 'msg':
      return (await import('./mail/msg-engine.js')).extractMsg;
    case 'epub':
      return (await import('./epub/epub-engine.js')).extractEpub;
    case 'ipynb':
      return (await import('./notebook/notebook-engine.js')).extractNotebook;
    case 'rtf':
      return (await import('./rtf/rtf-engine.js')).extractRtf;
    case 'image':
      return (await import('./image/image-engine.js')).extractImage;
    case 'audio':
      return (await import('./audio/audio-engine.js')).extractAudio;
    case 'result':
      return (await import('./result/result-engine.js')).extractResult;
    case 'html':
      return (await import('./html/html-engine.js')).extractHtml;
    case 'csv':
      return (await import('./text/csv-engine.js')).extractCsv;
    case 'markdown':
      return (await import('./text/markdown-engine.js')).extractMarkdown;
    case 'text':
      return (await import('./text/text-engine.js')).extractText;
  }
};
