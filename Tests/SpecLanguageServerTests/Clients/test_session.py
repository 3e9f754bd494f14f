"""A session of pytest-lsp's client with the server: the types of the protocol are those of lsprotocol."""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

FOLDER = pathlib.Path(os.environ["TELEX_SPEC"])
USERS = FOLDER / "users.yaml"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["TELEX"], "lsp"]))
async def client(lsp_client: LanguageClient):
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(_params: types.RegistrationParams):
        return None

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"), root_uri=FOLDER.as_uri()))
    yield
    await lsp_client.shutdown_session()


def place(text: str, word: str, offset: int = 1) -> types.Position:
    before = text[: text.index(word) + offset]
    return types.Position(line=before.count("\n"), character=len(before.rsplit("\n", 1)[-1]))


async def opened(client: LanguageClient, text: str) -> types.TextDocumentIdentifier:
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=USERS.as_uri(), language_id="yaml", version=1, text=text)))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    return types.TextDocumentIdentifier(uri=USERS.as_uri())


@pytest.mark.asyncio
async def test_session(client: LanguageClient):
    text = USERS.read_text()
    document = await opened(client, text)
    assert not client.diagnostics[USERS.as_uri()]

    wrong = text.replace("returns: [UserProfile]", "returns: [UserProfil]")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=2, uri=document.uri),
            [types.TextDocumentContentChangeWholeDocument(text=wrong)]))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    mistakes = client.diagnostics[USERS.as_uri()]
    assert "T0201" in [one.code for one in mistakes]

    unknown = next(one for one in mistakes if one.code == "T0201")
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, unknown.range, types.CodeActionContext([unknown])))
    assert [one.title for one in actions] == ["Change to `UserProfile`"]
    assert actions[0].edit.document_changes[0].text_document.version == 2

    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version=3, uri=document.uri),
            [types.TextDocumentContentChangeWholeDocument(text=text)]))
    profile = place(text, "[UserProfile]", 3)
    hover = await client.text_document_hover_async(types.HoverParams(document, profile))
    assert "first_name: string?" in hover.contents.value
    found = await client.text_document_definition_async(types.DefinitionParams(document, profile))
    assert found[0].uri == document.uri
    uses = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, profile))
    assert len({one.uri for one in uses}) == 3
    edit = await client.text_document_rename_async(
        types.RenameParams(text_document=document, position=profile, new_name="Person"))
    assert len(edit.document_changes) == 3
    items = await client.text_document_completion_async(types.CompletionParams(document, profile))
    labels = [one.label for one in items]
    assert "UserProfile" in labels and "string" in labels
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols[0].name == "users.get" and symbols[0].children
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert folds
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lenses[0].command.title.startswith("func get(")
    names = await client.workspace_symbol_async(types.WorkspaceSymbolParams("wallget"))
    assert "wall.get" in [one.name for one in names]
