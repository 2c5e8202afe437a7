import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page of the run panel. Everything it may load is listed in its policy: our script, our style, our font. */
export function runHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>MassGen</title>
<link rel="stylesheet" nonce="${nonce}" href="${asset('webview.css')}">
</head>
<body>
<script nonce="${nonce}" src="${asset('webview.js')}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replace(/[^A-Za-z0-9-]/g, '');
}
