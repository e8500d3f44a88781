// SPDX-License-Identifier: MIT
// Starts `pawl lsp` for models and passes what it says to the editor.
import { window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client = null;

export async function activate() {
  const command = workspace.getConfiguration("pawl").get("path", "pawl");
  client = new LanguageClient("pawl", "Pawl", { command, args: ["lsp"] }, { documentSelector: [{ language: "pawl" }] });
  try {
    await client.start();
  } catch (e) {
    client = null;
    window.showErrorMessage(`Pawl: \`${command} lsp\` cannot be started (${e.message}). Set pawl.path to the program.`);
  }
}

export function deactivate() { return client?.stop(); }
